"""Unsolicited multicast DNS responses, for the tools in this folder that forge records."""
import socket
import struct
import time

GROUP4, GROUP6, PORT = "224.0.0.251", "ff02::fb", 5353
A, PTR, TXT, AAAA, SRV = 1, 12, 16, 28, 33
SHARED, UNIQUE = 1, 0x8001  # class IN, without and with the cache-flush bit (RFC 6762 section 10.2)


def label(text: str) -> bytes:
    data = text.encode()
    return bytes([len(data)]) + data


def name(*labels: str) -> bytes:
    """Returns the name in .local with these labels. A type such as _openclaw._tcp is two labels."""
    return b"".join(label(part) for part in labels) + label("local") + b"\0"


def service_type(text: str) -> bytes:
    return name(*text.split("."))


def instance(text: str, kind: str) -> bytes:
    return name(text, *kind.split("."))


def record(owner: bytes, kind: int, data: bytes, ttl: int, group: int = UNIQUE) -> bytes:
    return owner + struct.pack("!HHIH", kind, group, ttl, len(data)) + data


def ptr(kind: str, text: str, ttl: int) -> bytes:
    return record(service_type(kind), PTR, instance(text, kind), ttl, SHARED)


def srv(kind: str, text: str, host: str, port: int, ttl: int) -> bytes:
    return record(instance(text, kind), SRV, struct.pack("!3H", 0, 0, port) + name(host), ttl)


def txt(kind: str, text: str, entries: list[str], ttl: int) -> bytes:
    return record(instance(text, kind), TXT, b"".join(label(entry) for entry in entries) or b"\0", ttl)


def a(host: str, address: str, ttl: int) -> bytes:
    return record(name(host), A, socket.inet_aton(address), ttl)


def aaaa(host: str, address: str, ttl: int) -> bytes:
    return record(name(host), AAAA, socket.inet_pton(socket.AF_INET6, address), ttl)


def message(records: list[bytes]) -> bytes:
    return struct.pack("!6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


class Sender:
    """Sends multicast packets from port 5353 on an interface, over IPv4 and IPv6."""

    def __init__(self, interface: str, source: str | None = None) -> None:
        """If a source is given, packets have this source address, and are sent over IPv4 only."""
        index = socket.if_nametoindex(interface)
        self.source = source
        if source:
            self.ipv4 = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        else:
            self.ipv4 = self.bound(socket.AF_INET)
            self.ipv4.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        interface_request = struct.pack("@4s4si", b"\0" * 4, b"\0" * 4, index)
        self.ipv4.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface_request)
        if not source:
            self.ipv4.bind(("", PORT))
            self.ipv6 = self.bound(socket.AF_INET6)
            self.ipv6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self.ipv6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
            self.ipv6.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
            self.ipv6.bind(("::", PORT))
            self.group6 = (GROUP6, PORT, 0, index)

    @staticmethod
    def bound(family: int) -> socket.socket:
        udp = socket.socket(family, socket.SOCK_DGRAM)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        return udp

    def send(self, body: bytes) -> None:
        if self.source:
            udp = struct.pack("!4H", PORT, PORT, 8 + len(body), 0)
            header = struct.pack("!BBHHHBBH", 0x45, 0, 28 + len(body), 0, 0, 255, 17, 0)
            addresses = socket.inet_aton(self.source) + socket.inet_aton(GROUP4)
            self.ipv4.sendto(header + addresses + udp + body, (GROUP4, PORT))
        else:
            self.ipv4.sendto(body, (GROUP4, PORT))
            self.ipv6.sendto(body, self.group6)


def paced(rate: float, seconds: float):
    """Yields the numbers from 0 at this rate per second, for this number of seconds."""
    start, number = time.monotonic(), 0
    while number < rate * seconds:
        wait = start + number / rate - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        yield number
        number += 1
