package world

import (
	"slices"
	"strings"
)

// kind is how an airline does business.
type kind int

const (
	network kind = iota // Sells connections, brands and cabins.
	lowCost             // One cabin, bags apart, no partners.
)

// Airline is one carrier of the world.
type Airline struct {
	// Code is its IATA code; its name is in the reference data.
	Code string
	// Hubs are the airports it flies from, the most important first. Every
	// route has one of them at one end.
	Hubs []string

	kind     kind
	alliance string
	reach    int // Kilometres that its longest aircraft flies non-stop.
	level    int // Fare level in permille of the market.
	first    bool
	partners []string
}

// Reaches in kilometres.
const (
	regional  = 3800
	short     = 4600
	narrow    = 6200
	long      = 13800
	ultraLong = 15400
)

// airlines is the fleet of the world: real carriers at their real hubs.
func airlines() []*Airline {
	var all []*Airline
	add := func(k kind, alliance string, reach, level int, lines string) {
		for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
			code, hubs, _ := strings.Cut(strings.TrimSpace(line), " ")
			code, first := strings.CutSuffix(code, "*")
			all = append(all, &Airline{
				Code: code, Hubs: strings.Fields(hubs), kind: k,
				alliance: alliance, reach: reach, level: level, first: first,
			})
		}
	}
	// An asterisk marks those with a first class on their long routes.
	add(network, "oneworld", ultraLong, 1000, oneworld)
	add(network, "Star Alliance", ultraLong, 1000, starAlliance)
	add(network, "SkyTeam", ultraLong, 990, skyTeam)
	add(network, "", ultraLong, 1010, independent)
	add(network, "oneworld", narrow, 960, "AS SEA PDX SFO LAX ANC")
	add(network, "", regional, 950, regionals)
	add(lowCost, "", short, 720, lowCosts)
	add(lowCost, "", narrow, 760, oceanGoing)
	for code, others := range partnerships {
		for _, a := range all {
			if a.Code == code {
				a.partners = strings.Fields(others)
			}
		}
	}
	return all
}

const oneworld = `
	AA* DFW CLT ORD MIA PHL JFK PHX LAX DCA LGA
	BA* LHR LGW LCY
	IB MAD
	AY HEL
	JL* HND NRT KIX ITM
	CX* HKG
	QF* SYD MEL BNE PER
	QR* DOH
	MH KUL
	AT CMN
	RJ AMM
	UL CMB
	HA HNL
	FJ NAN
	WY MCT`

const starAlliance = `
	UA ORD IAH EWR DEN SFO IAD LAX
	AC YYZ YUL YVR YYC
	LH* FRA MUC
	LX* ZRH GVA
	OS VIE
	SN BRU
	LO WAW
	TP LIS OPO
	SQ* SIN
	TG BKK
	NH* HND NRT ITM
	OZ ICN
	CA* PEK CTU PVG
	BR TPE
	TK IST
	ET ADD
	SA JNB CPT
	MS CAI
	AI* DEL BOM
	CM PTY
	AV BOG
	NZ AKL CHC WLG
	ZH SZX
	AZ FCO LIN`

const skyTeam = `
	AF* CDG ORY
	KL AMS
	DL ATL DTW MSP SLC JFK LGA BOS SEA LAX
	VS LHR MAN
	KE* ICN
	MU* PVG SHA KMG
	CI TPE
	VN SGN HAN
	GA* CGK DPS
	AM MEX
	AR EZE AEP
	UX MAD
	SV* JED RUH
	KQ NBO
	SK CPH ARN OSL
	MF XMN`

const independent = `
	EK* DXB
	EY* AUH
	LA SCL GRU LIM
	CZ CAN
	HU PEK
	WS YYC
	PR MNL
	FI KEF
	EI DUB
	LY TLV
	VA BNE SYD MEL
	TN PPT
	KU* KWI
	GF BAH
	BI BWN
	AD VCP`

const regionals = `
	A3 ATH
	OU ZAG
	ME BEY
	RO OTP
	JU BEG
	BT RIX
	KC ALA NQZ
	HY TAS
	PK KHI ISB LHE
	BG DAC
	RA KTM
	PX POM
	BW POS
	G3 GRU GIG
	TU TUN
	AH ALG`

const lowCosts = `
	FR STN DUB BGY CRL
	U2 LGW LTN MXP GVA
	W6 BUD OTP WAW
	VY BCN FCO
	EW DUS CGN
	DY OSL ARN CPH
	LS MAN LBA
	PC SAW
	WN DAL MDW BWI DEN LAS PHX
	F9 DEN
	AK KUL
	FD DMK
	TR SIN
	6E DEL BOM BLR HYD
	FZ DXB
	G9 SHJ
	5J MNL CEB
	VJ SGN HAN
	7C ICN GMP
	MM KIX
	JQ MEL SYD
	Y4 MEX GDL
	JA SCL`

// oceanGoing are low-cost airlines whose narrow bodies cross the Atlantic.
const oceanGoing = `
	B6 JFK BOS FLL MCO
	TS YUL YYZ`

// partnerships are codeshares across alliances; within an alliance everybody is
// a partner. Each line holds for both directions.
var partnerships = map[string]string{
	"EK": "QF AC FZ UA", "EY": "AF KL BR AZ", "EI": "BA IB AA B6", "LA": "DL IB", "VA": "UA QR SQ",
	"FI": "SK AS", "WS": "DL KL AF", "CZ": "AA BA AF", "LY": "DL", "GF": "AA", "HU": "AS",
	"B6": "HA", "PR": "NH", "AD": "UA TP", "G3": "AA AF", "A3": "LH UA AC", "OU": "LH LX",
	"ME": "AF SV", "RO": "KL AF", "BT": "LH SK", "KC": "LH", "RA": "SQ", "HY": "KE", "BI": "SQ",
	"JU": "LH TK", "TN": "AF NZ", "KU": "TK", "PK": "TK", "BG": "TK", "PX": "QF", "BW": "AA",
	"TU": "AF", "AH": "TK",
}

// sells reports that a and b put their codes on each other's flights.
func (a *Airline) sells(b *Airline) bool {
	if a == b || a.alliance != "" && a.alliance == b.alliance {
		return true
	}
	return slices.Contains(a.partners, b.Code) || slices.Contains(b.partners, a.Code)
}

// hubRank is the place of an airport among the airline's hubs, -1 where it is
// none.
func (a *Airline) hubRank(iata string) int { return slices.Index(a.Hubs, iata) }
