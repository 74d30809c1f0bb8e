package refdata

import "math"

// Airport is a place that scheduled flights leave from.
type Airport struct {
	// IATA is the code of three letters that travellers see, ICAO the one of
	// pilots, empty where the sources have none.
	IATA, ICAO string
	// Name and City are in English or the local Latin spelling.
	Name, City string
	// CityCode is the metropolitan code (JFK: NYC), the airport's own where it
	// is the only one of its city.
	CityCode string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
	// Lat and Lon are degrees, north and east positive.
	Lat, Lon float64
	// Zone is the name of the time zone in the IANA database.
	Zone string
}

// earthRadius is the mean radius R1 of the Earth in kilometres (IUGG 1980).
const earthRadius = 6371.0088

// Distance is the great circle from a to b in kilometres, by the haversine
// formula; the Earth's flattening makes it wrong by up to 0.5%.
func Distance(a, b Airport) float64 {
	const radians = math.Pi / 180
	lat1, lat2 := a.Lat*radians, b.Lat*radians
	sinLat, sinLon := math.Sin((lat2-lat1)/2), math.Sin((b.Lon-a.Lon)*radians/2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLon*sinLon
	return 2 * earthRadius * math.Asin(math.Min(1, math.Sqrt(h)))
}
