// Package chart draws what the laboratory found.
package chart
