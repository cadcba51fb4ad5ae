internal import DNSSD
internal import TestSupport
internal import Testing

@testable internal import HostSystem

@Suite("UDPSocket", .timeLimit(.minutes(1))) struct UDPSocketTests {
    @Test("reports when a packet has arrived, and the packet's origin")
    func packets() async throws {
        let loop = try SocketLoop(name: "test")
        let receiver = try UDPSocket(.ipv4)
        try receiver.receiveOrigins()
        try receiver.bind(port: 0)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let descriptor = receiver.descriptor
        loop.later { [weak loop] in loop?.watch(descriptor) { continuation.yield() } }

        let loopback = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
        let given = receiver.port
        let port = try #require(given)
        let sender = try UDPSocket(.ipv4)
        try sender.send([1, 2, 3], to: SocketAddress(loopback, port: port))
        for await _ in stream.prefix(1) {}

        var reader = DatagramReader()
        guard case .datagram(let datagram) = reader.read(receiver, interface: nil) else {
            Issue.record("nothing was read")
            return
        }
        #expect(datagram.bytes == [1, 2, 3])
        #expect(datagram.source.address == loopback)
        let senderPort = sender.port
        #expect(datagram.source.port == senderPort)
        #expect(datagram.interface > 0)
        #expect(datagram.hopLimit == 64)
        guard case .empty = reader.read(receiver, interface: nil) else {
            Issue.record("more than one packet was read")
            return
        }
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        loop.later { [weak loop] in
            loop?.unwatch(descriptor)
            end.yield()
        }
        for await _ in done.prefix(1) {}
    }

    @Test("counts packets for which there was no room, even if no packet follows them")
    func drops() throws {
        let receiver = try UDPSocket(.ipv4)
        receiver.makeRoom(bytes: 4_096)
        try receiver.bind(port: 0)
        let given = receiver.port
        let address = SocketAddress(.v4(IPv4Address(bits: 0x7F00_0001)), port: try #require(given))
        var counter = DropCounter()
        #expect(counter.take(from: receiver) == 0)
        let sender = try UDPSocket(.ipv4)
        for _ in 0..<100 { try sender.send([UInt8](repeating: 1, count: 1_000), to: address) }
        var reader = DatagramReader()
        var (count, lost) = (0, 0)
        // A system may put off for a moment what happens to a packet.
        let end = ContinuousClock.now + .seconds(10)
        while count + lost < 100, .now < end {
            while case .datagram = reader.read(receiver, interface: nil) { count += 1 }
            lost += counter.take(from: receiver)
        }
        #expect((1..<100).contains(count) && lost == 100 - count)
        #expect(counter.take(from: receiver) == 0, "each lost packet is counted once")
    }

    @Test("reads control messages, and survives any bytes")
    func controlMessages() {
        var generator = SeededGenerator.forFuzzing("ControlMessages")
        for _ in 0..<20_000 { _ = ControlMessages(generator.bytes(upTo: 80)[...]) }
        // A message of level SOL_IP (0) and type IP_TTL (2) with four bytes, followed by a message with an invalid
        // length.
        let ttl: [UInt8] = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]
        let nothing = [UInt8](repeating: 0, count: 16)
        #expect(ControlMessages((ttl + nothing)[...]).hopLimit == 255)
        let endless = [UInt8](repeating: 0xFF, count: 16)
        #expect(ControlMessages((ttl + endless)[...]).hopLimit == 255)
    }
}
