package refdata

// Carrier is an airline as its tickets name it. Codes are reassigned: the name
// that a provider gives with an offer is better than the one here.
type Carrier struct {
	// IATA is the designator of two characters.
	IATA string
	// Name is the brand, not the company.
	Name string
	// Alliance is "Star Alliance", "oneworld", "SkyTeam", or empty.
	Alliance string
}
