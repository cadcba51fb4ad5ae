internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Reports

/// `clawradar mute`: nothing is told of a gateway for a while.
struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Has the agent tell nothing of a gateway for a while.",
        usage: "clawradar mute [<name>] [<options>]",
        discussion: """
            For a gateway that you take down yourself. What is still so at the end is told then; the history goes on. \
            Without a name, it shows what is not told now.

            EXAMPLES:
              clawradar mute
              clawradar mute "Home Gateway" --for 2h
              clawradar mute "Home Gateway" --off

            Exit status: 0; 1 if no gateway that the agent watches has this name, 64 if several have it, 69 if the \
            history cannot be used.
            """
    )

    @Argument(help: "The name of a gateway that the agent watches, or its number.")
    var name: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Tell nothing of it for this time: 90s, 30m, 2h, 7d.", valueName: "time")
    )
    var time: LongTime = LongTime.hour

    @Flag(help: "Tell of it again.")
    var off = false

    func validate() throws {
        if name == nil, off { throw ValidationError("--off: expected the name of a gateway, found none.") }
    }

    func run() async throws {
        guard let name else {
            let store = NoticeStoreAccess.existing
            var mutes: [String: Timestamp] = [:]
            if let store {
                mutes = try await NoticeStoreAccess.ask(store) { radar throws(RadarError) in try await radar.mutes() }
                    .mutes
            }
            let lines = SilenceText.lines(store, muted: mutes)
            if lines.isEmpty { Notes.note("no gateway is muted.") }
            let output = StandardOutput()
            return try output.write(SilenceText.text(lines, width: output.terminal?.columns))
        }
        let store = try NoticeStoreAccess.open(
            expecting: "expected \(DisplayText(name, limit: 64).quoted) to be a gateway that the agent watches"
        )
        let now = Timestamp.now
        let known = KnownNames.stored()
        let history = try NoticeStoreAccess.translating { () throws(NoticeStoreError) in
            try store.history(since: now, now: now)
        }
        // Whoever knows it by the name that the history has still means it.
        let gateway = try history.gateway(name, known: known)
        let duration = off ? nil : time.milliseconds
        let muted = try await NoticeStoreAccess.ask(store) { radar throws(RadarError) in
            try await radar.mute(gateway.key, for: duration)
        }
        let current = history.named(known).gateways.first { $0.key == gateway.key } ?? gateway
        let shown = DisplayText(current.name, limit: 64)
        let text =
            muted.mutes[gateway.key].map { "nothing is told of \(shown) until \(TimeText.localDay($0))" }
            ?? "\(shown) is told of again"
        try StandardOutput().write(text + "\n")
    }
}
