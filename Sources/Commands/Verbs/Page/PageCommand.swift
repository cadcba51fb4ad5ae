internal import ArgumentParser
internal import Console
internal import HostSystem

/// `clawradar page`: opens the page of the agent in a browser.
struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Opens the page of the agent in your browser.",
        usage: "clawradar page [<options>]",
        discussion: """
            Shows gateways and bots in a browser, pairs, approves, and does what the verbs do. The agent of this user \
            answers it, at its port, or at any free one of 127.0.0.1 if it has none. The browser is led there by a file that only you \
            can read, and that the agent removes once it was used. The address in it works once, within 5 minutes; the page \
            has all rights for 12 hours then, also with the next agent at that port.

            Where there is no desktop, or with --print, the address is printed, and how to reach it from another machine. \
            page.names in the configuration allows other names than 127.0.0.1 and localhost, of a proxy or a tunnel.

            EXAMPLES:
              clawradar page
              clawradar page --print

            Exit status: 0; 1 if no agent of this user runs, 69 if it does not answer the page.
            """
    )

    @Flag(name: .customLong("print"), help: "Print the address, and open nothing.")
    var prints = false

    func run() throws {
        try PageWay.open(nil, prints: prints)
    }
}

/// `clawradar open`: the program that a desktop runs for a link to a gateway.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Shows a link or a code to a gateway, and asks whether to pair with it.",
        usage: "clawradar open <link>",
        discussion: """
            Your desktop runs it for links that begin with optaplus: or oc-pair:, once `clawradar agent install` has set it \
            up. The page asks what to do with the link; where no agent runs, this command asks. Nothing is sent before you \
            have said so: anybody can make a link.

            EXAMPLES:
              clawradar open 'optaplus://pair?host=192.168.1.50&port=3000&fp=5f0c…&token=…'

            Exit status: that of `clawradar page` or, without an agent, of `clawradar pair`; 64 if it is no such link.
            """
    )

    @Argument(help: "The link.")
    var link: String

    func run() async throws {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        guard LinkHandler.schemes.contains(scheme), scheme.utf8.count < link.utf8.count else {
            throw CommandFailure(.usage, "expected a link that begins with optaplus: or oc-pair:, found another text")
        }
        do throws(ArgumentProblem) {
            _ = try PairingSubject.invitation(link)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        guard !AgentOption.isRunning else { return try PageWay.open(link, prints: false) }
        guard try await TerminalDialogue.confirm("A link to a gateway was opened. Look at where it leads?") else {
            return
        }
        let command = try PairCommand.parse(["--", link])
        try await command.run()
    }
}
