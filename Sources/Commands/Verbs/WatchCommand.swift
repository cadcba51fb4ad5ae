internal import ArgumentParser
internal import DNSSD
internal import Discovery

/// `clawradar watch`: stays and tells what comes, changes and goes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Stays, and shows gateways as they come, change and go.",
        discussion: """
            On a terminal it shows a live table, in which + marks what is new, ~ what has changed and - what has left. \
            Elsewhere it prints one line for each change. When the daemon goes away it says so, waits, and goes on by \
            itself. Ctrl-C ends it.

            EXAMPLES:
              clawradar watch
              clawradar watch --type _openclaw._tcp | tee gateways.log
              clawradar watch --format ndjson | jq -r 'select(.event == "lost").service.instance'

            Exit status: 0.
            """
    )

    @Option(help: ArgumentHelp("How to print it.", valueName: "format"))
    var format = WatchFormat.table

    @OptionGroup var type: TypeOption
    @OptionGroup var interface: InterfaceOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let output = StandardOutput()
        let isLive = format == .table && Environment.canMoveCursor && output.terminal != nil
        let backend: any ServiceBackend
        // Log lines would tear the picture.
        do { backend = try common.makeBackend(logger: isLive ? nil : common.logger) } catch {
            throw CommandFailure(error)
        }
        let configuration = BrowserConfiguration(types: type.types, interfaces: Set(interface.interfaces))
        let browser = Browser(configuration, backend: backend)
        if isLive {
            try await LiveWatch(browser: browser, output: output).run()
        } else {
            try await LineWatch(browser: browser, format: format, write: { try output.write($0) }).run()
        }
    }
}
