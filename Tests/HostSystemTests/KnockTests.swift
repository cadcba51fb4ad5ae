import DNSSD
import Glibc
import Testing

@testable import HostSystem

/// A host that refuses is there.
@Suite struct KnockTests {
    @Test func whatRefusesAnswers() throws {
        let own = try #require(IPAddress("127.0.0.1"))
        #expect(Knock.answering([own], within: .seconds(10)) == [own])
        #expect(Knock.answering([], within: .seconds(10)).isEmpty)
    }

    /// Listens at any free port of this host.
    private static func listen() throws -> (descriptor: CInt, port: UInt16) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(Glibc.listen(listener, 1) == 0)
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        try #require(isNamed == 0)
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// A program that listens is told from a port at which none does.
    @Test func whatListensIsOpen() throws {
        let own = try #require(IPAddress("127.0.0.1"))
        let (listener, port) = try Self.listen()
        defer { close(listener) }
        let open = Endpoint(address: own, port: port)
        #expect(Knock.open([open, Endpoint(address: own, port: 9)], within: .seconds(10)) == [open])
    }

    /// The neighbours of an interface are a bounded number.
    @Test func neighboursAreBounded() throws {
        var table = NeighbourTable()
        let hardware = try #require(HardwareAddress([2, 0, 0, 0, 0, 1]))
        for last in 1...20 {
            table.insert(hardware, for: try #require(IPAddress("10.0.0.\(last)")), interface: last % 2 == 0 ? 1 : 2)
        }
        #expect(table.addresses(on: 1, most: 4).count == 4 && table.addresses(on: 2, most: 99).count == 10)
        #expect(table.addresses(on: 3, most: 4).isEmpty)
    }

    /// What there is no socket for at once is asked as soon as there is one.
    @Test func aShortageOfSocketsLosesNothing() throws {
        let own = try #require(IPAddress("127.0.0.1"))
        let (listener, port) = try Self.listen()
        defer { close(listener) }
        let open = Endpoint(address: own, port: port)
        var attempts = 0
        let found = Knock.open([Endpoint(address: own, port: 9), open], within: .seconds(10)) { family in
            attempts += 1
            guard attempts == 1 || attempts > 3 else {
                errno = EMFILE
                return -1
            }
            return socket(family, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        #expect(found == [open])
    }

    /// A family that this host does not have is no shortage, and nothing waits for it.
    @Test func whatHasNoSocketIsLeftOut() throws {
        let place = Endpoint(address: try #require(IPAddress("::1")), port: 9)
        let found = Knock.open([place], within: .seconds(3_600)) { _ in
            errno = EAFNOSUPPORT
            return -1
        }
        #expect(found.isEmpty)
    }
}
