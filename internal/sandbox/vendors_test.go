package sandbox_test

import (
	"fmt"
	"math"
	"strings"
)

// What the tests read of the vendors' answers.

type duffelPlace struct {
	IATA string `json:"iata_code"`
	Type string `json:"type"`
	Zone string `json:"time_zone"`
}

type duffelOffer struct {
	ID         string `json:"id"`
	Total      string `json:"total_amount"`
	Currency   string `json:"total_currency"`
	Base       string `json:"base_amount"`
	Tax        string `json:"tax_amount"`
	CreatedAt  string `json:"created_at"`
	ExpiresAt  string `json:"expires_at"`
	Emissions  string `json:"total_emissions_kg"`
	Passengers []struct {
		ID, Type string
	} `json:"passengers"`
	Slices []struct {
		Brand    string `json:"fare_brand_name"`
		Duration string
		Segments []duffelSegment
	} `json:"slices"`
}

type duffelSegment struct {
	Origin, Destination duffelPlace
	Departing           string `json:"departing_at"`
	Arriving            string `json:"arriving_at"`
	Duration            string
	Marketing           struct {
		IATA string `json:"iata_code"`
	} `json:"marketing_carrier"`
	Operating struct {
		IATA string `json:"iata_code"`
	} `json:"operating_carrier"`
	Passengers []struct {
		ID       string `json:"passenger_id"`
		Baggages []struct{ Type string }
	}
}

type duffelAnswer struct {
	Data struct {
		ID     string
		Offers []duffelOffer
		Slices []struct {
			OriginType string `json:"origin_type"`
		}
	}
}

type duffelPage struct {
	Data []duffelOffer
	Meta struct {
		Limit int
		After *string
	}
}

// key is what stands for the same journey at all three providers.
func (o duffelOffer) key() string {
	var b strings.Builder
	for _, s := range o.Slices {
		for _, g := range s.Segments {
			fmt.Fprintln(&b, g.Origin.IATA, g.Destination.IATA, g.Departing, g.Arriving, g.Operating.IATA)
		}
	}
	return b.String()
}

type amadeusAnswer struct {
	Meta struct{ Count int }
	Data []amadeusOffer
}

type amadeusPrice struct {
	Currency, Total, Base, GrandTotal string
	Taxes                             []struct{ Amount string }
}

type amadeusOffer struct {
	ID          string
	Seats       int `json:"numberOfBookableSeats"`
	Itineraries []struct {
		Duration string
		Segments []struct {
			ID                 string
			Departure, Arrival struct {
				IATA string `json:"iataCode"`
				At   string
			}
			CarrierCode   string
			Operating     struct{ CarrierCode string }
			NumberOfStops int
		}
	}
	Price            amadeusPrice
	TravelerPricings []struct {
		TravelerType         string
		Price                amadeusPrice
		FareDetailsBySegment []struct {
			Cabin, BrandedFare string
		}
	}
}

func (o amadeusOffer) key() string {
	var b strings.Builder
	for _, it := range o.Itineraries {
		for _, g := range it.Segments {
			operator := g.Operating.CarrierCode
			if operator == "" {
				operator = g.CarrierCode
			}
			fmt.Fprintln(&b, g.Departure.IATA, g.Arrival.IATA, g.Departure.At, g.Arrival.At, operator)
		}
	}
	return b.String()
}

type skyPrice struct{ Amount, Unit string }

type skyTime struct{ Year, Month, Day, Hour, Minute int }

func (t skyTime) String() string {
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:00", t.Year, t.Month, t.Day, t.Hour, t.Minute)
}

type skyItinerary struct {
	PricingOptions []struct {
		Price        skyPrice
		AgentIDs     []string
		TransferType string
		Items        []struct {
			Price    skyPrice
			AgentID  string
			DeepLink string
		}
	}
	LegIDs []string
}

type skyAnswer struct {
	Token        string `json:"sessionToken"`
	RefreshToken string `json:"refreshSessionToken"`
	Status       string
	Action       string
	Content      struct {
		Results struct {
			Itineraries map[string]skyItinerary
			Legs        map[string]struct {
				DurationInMinutes, StopCount int
				SegmentIDs                   []string
			}
			Segments map[string]struct {
				OriginPlaceID, DestinationPlaceID      string
				DepartureDateTime, ArrivalDateTime     skyTime
				MarketingCarrierID, OperatingCarrierID string
				DurationInMinutes                      int
			}
			Places   map[string]struct{ IATA, ParentID, Type string }
			Carriers map[string]struct{ Name, IATA string }
			Agents   map[string]struct{ Name string }
		}
		SortingOptions struct {
			Best, Cheapest, Fastest []struct{ ItineraryID string }
		}
	}
}

func (a skyAnswer) key(it skyItinerary) string {
	var b strings.Builder
	r := a.Content.Results
	for _, id := range it.LegIDs {
		for _, id := range r.Legs[id].SegmentIDs {
			g := r.Segments[id]
			fmt.Fprintln(&b, r.Places[g.OriginPlaceID].IATA, r.Places[g.DestinationPlaceID].IATA, g.DepartureDateTime, g.ArrivalDateTime, r.Carriers[g.OperatingCarrierID].IATA)
		}
	}
	return b.String()
}

// cents reads a decimal of two places.
func cents(amount string) int64 {
	var whole, fraction int64
	if n, err := fmt.Sscanf(amount, "%d.%2d", &whole, &fraction); n != 2 || err != nil {
		return math.MinInt64
	}
	return whole*100 + fraction
}
