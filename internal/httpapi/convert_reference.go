package httpapi

import (
	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/refdata"
)

func airport(a refdata.Airport) api.Airport {
	return api.Airport{
		IATA:     a.IATA,
		Name:     known(a.Name),
		City:     known(a.City),
		CityCode: known(a.CityCode),
		Country:  known(a.Country),
		Lat:      &a.Lat,
		Lon:      &a.Lon,
		Timezone: known(a.Zone),
	}
}

func airline(c refdata.Carrier) api.Airline {
	return api.Airline{IATA: c.IATA, Name: c.Name, Alliance: known(c.Alliance)}
}

func currencies(catalog *refdata.Catalog) api.Currencies {
	shown := api.Currencies{ExchangeRates: exchangeRates(catalog.Rates())}
	for _, c := range catalog.Currencies() {
		shown.Currencies = append(shown.Currencies, api.Currency{
			Code: c.Code, Name: known(c.Name), Digits: c.Digits, HasRate: c.HasRate,
		})
	}
	return shown
}

func exchangeRates(rates refdata.Rates) api.ExchangeRates {
	return api.ExchangeRates{AsOf: rates.AsOf.String(), Source: rates.Source}
}
