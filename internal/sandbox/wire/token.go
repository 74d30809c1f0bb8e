package wire

import (
	"encoding/base32"
	"encoding/binary"
	"errors"
	"time"

	"github.com/hedgehop/hedgehop/internal/flight"
)

// Tokens carry the whole question, so that no process needs to remember one: an
// offer can be confirmed by another instance, or after a restart.
var (
	alphabet  = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)
	cabins    = [...]flight.Cabin{flight.CabinEconomy, flight.CabinPremiumEconomy, flight.CabinBusiness, flight.CabinFirst}
	dayZero   = flight.Date{Year: 2020, Month: time.January, Day: 1}
	errForged = errors.New("not a token of this sandbox")
)

// maxPacked is longer than the longest packed query, in letters.
const maxPacked = 128

// Pack writes a query as letters and digits, the same for equal queries.
func Pack(q flight.Query) string {
	b := []byte{byte(len(q.Slices))<<4 | cabinIndex(q.Cabin)}
	for _, s := range q.Slices {
		b = append(b, s.Origin...)
		b = append(b, s.Destination...)
		days := dayZero.DaysUntil(s.Departure)
		b = append(b, byte(days>>8), byte(days))
	}
	b = append(b, byte(q.Passengers.Adults)<<4|byte(q.Passengers.Infants))
	for _, age := range q.Passengers.ChildAges {
		b = append(b, byte(age))
	}
	return alphabet.EncodeToString(append(b, checksum(b)))
}

// Unpack reads what Pack wrote. Anything else is an error.
func Unpack(token string) (flight.Query, error) {
	if len(token) > maxPacked {
		return flight.Query{}, errForged
	}
	b, err := alphabet.DecodeString(token)
	if err != nil || len(b) < 3 || checksum(b[:len(b)-1]) != b[len(b)-1] {
		return flight.Query{}, errForged
	}
	count, cabin := int(b[0]>>4), int(b[0]&0xf)
	rest := b[1 : len(b)-1]
	if cabin >= len(cabins) || len(rest) < 8*count+1 {
		return flight.Query{}, errForged
	}
	q := flight.Query{Cabin: cabins[cabin]}
	for ; count > 0; count-- {
		days := int(rest[6])<<8 | int(rest[7])
		q.Slices = append(q.Slices, flight.SliceQuery{
			Origin: string(rest[:3]), Destination: string(rest[3:6]), Departure: dayZero.AddDays(days),
		})
		rest = rest[8:]
	}
	q.Passengers = flight.Passengers{Adults: int(rest[0] >> 4), Infants: int(rest[0] & 0xf)}
	for _, age := range rest[1:] {
		q.Passengers.ChildAges = append(q.Passengers.ChildAges, int(age))
	}
	if Pack(q) != token {
		return flight.Query{}, errForged
	}
	return q, nil
}

func cabinIndex(cabin flight.Cabin) byte {
	for i, c := range cabins {
		if c == cabin {
			return byte(i)
		}
	}
	return 0
}

// checksum tells a token that was cut or mistyped from one that was issued.
func checksum(b []byte) byte {
	sum := byte(0x5a)
	for i, x := range b {
		sum = sum<<1 | sum>>7
		sum ^= x + byte(i)
	}
	return sum
}

// Stamp is when an answer was made, to the second, and a number that keeps two
// answers of the same second apart. It packs into StampLength letters.
type Stamp struct {
	Made  time.Time
	Nonce uint32
}

// StampLength is how many letters a packed Stamp has.
const StampLength = 13

// Pack writes the stamp as letters and digits.
func (s Stamp) Pack() string {
	b := binary.BigEndian.AppendUint32(nil, uint32(s.Made.Unix()))
	return alphabet.EncodeToString(binary.BigEndian.AppendUint32(b, s.Nonce))
}

// UnpackStamp reads what Stamp.Pack wrote.
func UnpackStamp(token string) (Stamp, error) {
	b, err := alphabet.DecodeString(token)
	if err != nil || len(b) != 8 {
		return Stamp{}, errForged
	}
	made := time.Unix(int64(binary.BigEndian.Uint32(b)), 0).UTC()
	return Stamp{Made: made, Nonce: binary.BigEndian.Uint32(b[4:])}, nil
}
