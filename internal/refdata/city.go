package refdata

// City is a place with one airport or several that travellers take for each
// other.
type City struct {
	// Code is the metropolitan code. It can be an airport's too (DXB, IST); as
	// a place to fly from it then means that airport alone, see Catalog.Expand.
	Code string
	// Name is the usual English one.
	Name string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
	// Airports are IATA codes, the most used one first.
	Airports []string
	// AlternateNames are other names in any language and script: München, 東京.
	AlternateNames []string
}
