import ArgumentParser
import DNSSD
import GatewayProtocol
import Testing

@testable import Commands

@Suite struct AdvertiseTests {
    private static func strings(_ arguments: [String]) throws -> [String] {
        let command = try AdvertiseCommand.parse(["--port", "3000", "--name", "Home"] + arguments)
        return try command.advertisement().txt.strings.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func txtHasItsOrder() throws {
        let strings = try Self.strings([
            "--txt", "k=v=w", "--ver", "3", "--txt", "flag", "--bots", "2", "--fp", "abc", "--txt", "empty=",
        ])
        #expect(strings == ["fp=abc", "name=Home", "bots=2", "ver=3", "k=v=w", "flag", "empty="])
    }

    @Test(arguments: [
        ["--txt", "NAME=x"], ["--txt", "fp=x"], ["--txt", "a=1", "--txt", "A=2"],
        ["--txt", "a=\(String(repeating: "x", count: 254))"], ["--txt", "ä=1"],
    ])
    func wrongEntriesAreUsageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Self.strings(arguments) }
        #expect(error.map { AdvertiseCommand.exitCode(for: $0) } == .usage)
    }

    @Test func typeIsTheContractsUnlessGiven() throws {
        #expect(try AdvertiseCommand.parse(["--port", "1"]).advertisement().types == [.openClaw])
        let types = try AdvertiseCommand.parse(["--port", "1", "--type", "_a._tcp,_x,_y"]).advertisement().types
        #expect(types.map(\.description) == ["_a._tcp,_x,_y"])
    }

    @Test func nameIsTheHostsUnlessGiven() throws {
        let name = try AdvertiseCommand.parse(["--port", "1"]).advertisement().name
        #expect((1...63).contains(name.utf8.count) && !name.contains("."))
    }
}
