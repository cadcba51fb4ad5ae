import DNSSD
import Testing

@testable import Discovery

/// The addresses of a host: the limit on their number, and the removal of outdated ones.
@Suite struct OneShotHostTests {
    private static func address(_ number: UInt32) -> IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 + number)) }

    /// Runs a check in which the given IPv4 addresses arrive.
    ///
    /// - Returns: Whether addresses were removed at its end.
    private func check(_ host: inout OneShotHost, _ numbers: UInt32...) -> Bool {
        host.beginCheck()
        for number in numbers { _ = host.add(Self.address(number), limit: 1) }
        return host.endCheck()
    }

    /// The addresses stored during a check are limited too, since a check can last as long as the browse: where answers
    /// are cut, no address is removed.
    @Test func aPeerCannotFillTheMemoryWithAddresses() {
        var host = OneShotHost()
        host.beginCheck()
        for number in 0..<10_000 { _ = host.add(Self.address(UInt32(number)), limit: 4) }
        #expect(host.addresses.count == 4)
        #expect((host.heard?.count ?? 0) <= 4)
    }

    /// An address that finds no room still shows that its family was sent, so that the stored address counts as
    /// missing.
    @Test func anAddressThatIsLeftOutSpeaksForItsFamily() {
        var host = OneShotHost()
        _ = host.add(Self.address(1), limit: 1)
        let outcomes = [check(&host, 2), check(&host, 1), check(&host, 2), check(&host, 2)]
        #expect(outcomes == [false, false, false, true])
        #expect(host.addresses.isEmpty)
    }

    /// An address of a family that the host did not send does not count as missing.
    @Test func anotherFamilyIsNotMissed() {
        var host = OneShotHost()
        let other = IPAddress.v6(IPv6Address(bits: 1))
        _ = host.add(other, limit: 1)
        let outcomes = [check(&host, 1), check(&host, 1), check(&host, 1)]
        #expect(outcomes == [false, false, false])
        #expect(host.addresses == [Self.address(1), other].sorted())
    }
}
