package world

import (
	"strings"

	"github.com/hedgehop/hedgehop/internal/refdata"
)

// size is the draw of an airport, for the reference data do not tell it.
type size int

const (
	small  size = iota // Scheduled service, feeds the hubs of its country.
	medium             // A city that every neighbour flies to.
	large              // A metropolis or a busy hub.
	mega               // Served by every long-haul airline.
)

const megaAirports = `ATL DXB DFW LHR HND DEN IST LAX ORD DEL CDG JFK AMS MAD FRA SIN ICN PVG PEK CAN BKK HKG
	MIA LAS SFO SEA EWR MCO CGK BOM DOH YYZ MEX GRU SYD BCN MUC FCO NRT TPE KUL MNL`

const largeAirports = `CLT PHX IAH BOS MSP DTW PHL FLL LGA BWI SLC DCA IAD SAN TPA BNA AUS HNL PDX YVR YUL YYC
	LGW MAN STN DUB ZRH VIE CPH OSL ARN HEL BRU LIS ATH WAW PRG BUD MXP DUS BER ORY PMI AGP GVA HAM EDI SAW
	MEL BNE PER AKL KIX ITM CTS FUK SGN HAN DPS CMB BLR HYD MAA CCU KHI DAC SZX CTU XIY KMG HGH CKG SHA WUH
	DOH AUH JED RUH KWI TLV AMM CAI JNB CPT NBO ADD LOS CMN BOG LIM SCL EZE GIG BSB PTY CUN SDQ SJU KEF`

const mediumAirports = `CLE PIT STL RDU CVG IND CMH MCI SMF SJC OAK SNA BUR MDW HOU DAL MSY SAT JAX RSW PBI BUF BDL
	MKE ABQ OMA OKC TUL MEM SDF RIC ORF CHS SAV PVD ALB SYR ROC BOI GEG RNO TUS ELP ANC OGG KOA LIH
	YOW YEG YWG YHZ YQB YYJ BHX BRS GLA NCL LBA LPL BFS LTN LCY CRL EIN RTM NCE LYS MRS TLS BOD NTE STR CGN HAJ NUE LEJ
	BGY LIN VCE NAP BLQ PSA CTA PMO CAG BRI VLC SVQ BIO ALC LPA TFS IBZ OPO FAO FNC RIX TLL VNO KRK GDN WRO KTW OTP CLJ
	SOF BEG ZAG SPU DBV LJU SKG HER RHO LCA SVO LED KBP TBS EVN GYD ALA NQZ TAS TRD BGO SVG GOT AAL BLL TMP
	AYT ESB ADB BEY BGW IKA DMM BAH MCT SHJ CAN HKT CNX DMK PNQ AMD COK GOI TRV JAI LKO ISB LHE KTM MLE RGN KTI VTE
	CEB CRK SUB KNO DVO NGO OKA ITM HIJ SDJ GMP PUS CJU XMN NKG TAO DLC CSX URC SYX HAK KHH MFM UBN
	ADL OOL CNS DRW CBR HBA WLG CHC ZQN NAN PPT NOU POM DUR LAD ACC ABJ DSS DAR EBB KGL MRU TNR HRE LUN MPM WDH
	ALG TUN HAV RAK SSH HRG ASW UIO GYE CTG MDE CLO CUZ AEP COR MVD ASU VVI LPB CNF POA CWB REC SSA FOR VCP SJO GUA SAL MGA
	GDL MTY TIJ SJD PVR KIN MBJ NAS PUJ POS BGI AUA CUR BWN`

func sizes() map[string]size {
	all := map[string]size{}
	for s, list := range map[size]string{medium: mediumAirports, large: largeAirports, mega: megaAirports} {
		for code := range strings.FieldsSeq(list) {
			all[code] = max(all[code], s)
		}
	}
	return all
}

// perimeter is how far an airport may be flown from, in kilometres: short
// runways, curfews and rules keep long flights away.
var perimeter = map[string]int{
	"LGA": 2420, "DCA": 2010, "LCY": 1500, "LIN": 1500, "SHA": 2300, "GMP": 2300, "ITM": 1600,
	"AEP": 2400, "MDW": 3500, "DAL": 3200, "LTN": 4500, "BWN": 9000,
}

// terminals are the usual passenger terminals of some airports.
var terminals = map[string]string{
	"LHR": "2 3 4 5", "JFK": "1 4 5 7 8", "CDG": "1 2E 2F 2D", "FRA": "1 2", "MUC": "1 2", "MAD": "1 4 4S",
	"LAX": "B 1 4 7", "SFO": "1 2 3 I", "ORD": "1 2 3 5", "EWR": "A B C", "BOS": "A B C E", "DXB": "1 3",
	"SIN": "1 2 3", "SYD": "1 2 3", "MEL": "1 2", "HND": "1 2 3", "NRT": "1 2", "ICN": "1 2", "DEL": "1 3",
	"BOM": "1 2", "FCO": "1 3", "BCN": "1 2", "MAN": "1 2 3", "LGW": "N S", "YYZ": "1 3", "DUB": "1 2",
	"MXP": "1 2", "VIE": "1 3", "GRU": "2 3", "MEX": "1 2", "PVG": "1 2", "PEK": "2 3", "TPE": "1 2", "BKK": "1",
}

// airfield is an airport with what the world knows of it.
type airfield struct {
	refdata.Airport
	size size
	// hub is its place among the hubs, -1 where it is none.
	hub int
}

// airfield finds an airport, hub or not.
func (w *World) airfield(iata string) (*airfield, bool) {
	if hub, ok := w.hubs[iata]; ok {
		return hub, true
	}
	airport, ok := w.catalog.Airport(iata)
	return &airfield{Airport: airport, size: w.sizes[iata], hub: -1}, ok
}

// distance is the great circle in whole kilometres.
func (w *World) distance(a, b *airfield) int {
	if a.hub >= 0 && b.hub >= 0 {
		return int(w.betweenHubs()[a.hub*len(w.hubCodes)+b.hub])
	}
	return int(refdata.Distance(a.Airport, b.Airport))
}

// measureHubs is the table of distances between all hubs, for most questions of
// a search are about two of them.
func (w *World) measureHubs() []int32 {
	n := len(w.hubCodes)
	table := make([]int32, n*n)
	for i, from := range w.hubCodes {
		for k, to := range w.hubCodes[:i] {
			km := int32(refdata.Distance(w.hubs[from].Airport, w.hubs[to].Airport))
			table[i*n+k], table[k*n+i] = km, km
		}
	}
	return table
}

// Terminal is where an airline is at home at an airport, the same for all its
// flights there; empty where none is known.
func (w *World) Terminal(a *Airline, iata string) string {
	doors := strings.Fields(terminals[iata])
	if len(doors) == 0 {
		return ""
	}
	return doors[w.die.cast("terminal", a.Code, iata).below(len(doors))]
}
