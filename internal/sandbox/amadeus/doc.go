// Package amadeus renders the sandbox's world as the Amadeus Self-Service and
// Enterprise APIs: the OAuth2 token, Flight Offers Search v2 by GET and POST, and
// Flight Offers Price v1.
//
// Numbers come as strings, durations without days, carrier names in a dictionary
// in capitals, and operating carriers not always: as the vendor does it.
package amadeus
