// A publisher and a browser built on hashicorp/mdns, for scripts/interop.
//
//	hashicorp-mdns publish NAME TYPE PORT HOST ADDRESS[,ADDRESS…] [KEY=VALUE…]
//	hashicorp-mdns browse TYPE SECONDS
//
// publish prints "ready" and runs until SIGTERM; browse sends one query and prints the answers as lines of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/mdns"
)

// A service that was found, with the properties that scripts/interop compares.
type found struct {
	Name      string   `json:"name"`
	Host      string   `json:"host"`
	Port      int      `json:"port"`
	Addresses []string `json:"addresses"`
	TXT       []string `json:"txt"`
}

func main() {
	log.SetFlags(0)
	arguments := os.Args[1:]
	switch {
	case len(arguments) >= 6 && arguments[0] == "publish":
		publish(arguments[1], arguments[2], number(arguments[3]), arguments[4], arguments[5], arguments[6:])
	case len(arguments) == 3 && arguments[0] == "browse":
		browse(arguments[1], time.Duration(number(arguments[2]))*time.Second)
	default:
		log.Fatal("usage: hashicorp-mdns publish NAME TYPE PORT HOST ADDRESS,… [KEY=VALUE…] | browse TYPE SECONDS")
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		log.Fatalf("a number was expected, not %q", text)
	}
	return value
}

func publish(name, service string, port int, host, addresses string, txt []string) {
	var ips []net.IP
	for _, text := range strings.Split(addresses, ",") {
		ip := net.ParseIP(text)
		if ip == nil {
			log.Fatalf("an address was expected, not %q", text)
		}
		ips = append(ips, ip)
	}
	zone, err := mdns.NewMDNSService(name, service, "", host, port, ips, txt)
	if err != nil {
		log.Fatal(err)
	}
	server, err := mdns.NewServer(&mdns.Config{Zone: zone})
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("ready")
	<-ended
	if err := server.Shutdown(); err != nil {
		log.Fatal(err)
	}
}

func browse(service string, limit time.Duration) {
	// Query drops entries for which the channel has no room, and never waits.
	entries := make(chan *mdns.ServiceEntry, 256)
	parameters := mdns.DefaultParams(service)
	parameters.Timeout = limit
	parameters.Entries = entries
	if err := mdns.Query(parameters); err != nil {
		log.Fatal(err)
	}
	close(entries)
	output := json.NewEncoder(os.Stdout)
	for entry := range entries {
		line := found{Name: entry.Name, Host: entry.Host, Port: entry.Port, TXT: entry.InfoFields}
		for _, address := range []net.IP{entry.AddrV4, entry.AddrV6} {
			if address != nil {
				line.Addresses = append(line.Addresses, address.String())
			}
		}
		if err := output.Encode(line); err != nil {
			log.Fatal(err)
		}
	}
}
