package refdata

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// SourceECB is the Source of rates that the European Central Bank published.
const SourceECB = "ECB"

// maxECB bounds the daily file, which has about 1.6 kB.
const maxECB = 64 << 10

type ecbDocument struct {
	Days []struct {
		Time  string `xml:"time,attr"`
		Rates []struct {
			Currency string `xml:"currency,attr"`
			Rate     string `xml:"rate,attr"`
		} `xml:"Cube"`
	} `xml:"Cube>Cube"`
}

// ParseECB reads the euro foreign exchange reference rates in the form of
// https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml, of at most
// 64 KiB. A file with more days than one is refused.
func ParseECB(r io.Reader) (Rates, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxECB+1))
	switch {
	case err != nil:
		return Rates{}, fmt.Errorf("ECB rates: %w", err)
	case len(body) > maxECB:
		return Rates{}, fmt.Errorf("ECB rates: longer than %d bytes; the file of a single day is wanted, eurofxref-daily.xml", maxECB)
	}
	var document ecbDocument
	if err := xml.Unmarshal(body, &document); err != nil {
		return Rates{}, fmt.Errorf("ECB rates: %w", err)
	}
	rates, err := document.rates()
	if err != nil {
		return Rates{}, fmt.Errorf("ECB rates: %w", err)
	}
	return rates, nil
}

func (d ecbDocument) rates() (Rates, error) {
	if len(d.Days) != 1 || len(d.Days[0].Rates) == 0 {
		return Rates{}, fmt.Errorf("%d days in it; one with its rates is wanted, as in eurofxref-daily.xml", len(d.Days))
	}
	day := d.Days[0]
	asOf, err := flight.ParseDate(day.Time)
	faults := []error{err}
	perEuro := make(map[string]string, len(day.Rates))
	for _, quoted := range day.Rates {
		if _, twice := perEuro[quoted.Currency]; twice {
			faults = append(faults, fmt.Errorf("%q is quoted twice", quoted.Currency))
		}
		perEuro[quoted.Currency] = quoted.Rate
	}
	if err := errors.Join(faults...); err != nil {
		return Rates{}, err
	}
	return NewRates(asOf, SourceECB, perEuro)
}
