internal import DNSSD
internal import GatewayReports
internal import Synchronization

/// A watch of gateways that keeps a table on the terminal true.
final class GatewayLiveWatch: Sendable {
    private struct State {
        var model = GatewayTableModel()
        var services: [ServiceInstance: DiscoveredService] = [:]
        var status: [String]
        var lastChange = TimeText.now
    }

    private let source: any WatchSource
    private let output: StandardOutput
    private let screen: LiveScreen
    private let style = Style(isOn: Environment.wantsColour)
    private let state: Mutex<State>

    init(source: any WatchSource, output: StandardOutput) {
        self.source = source
        self.output = output
        self.screen = LiveScreen(output: output)
        self.state = Mutex(State(status: [source.name]))
    }

    /// Shows it until the user has enough or nothing more will come, and leaves what was there last on the screen.
    func run() async throws {
        let failure: (any Error)?
        do {
            try await screen.run(
                view: { self.view.lines($0) },
                nextMarkEnds: { self.state.withLock(\.model.nextMarkEnds) },
                expire: { now in self.state.withLock { $0.model.expire(now: now) } },
                work: { try await self.source.run { self.show($0, at: $1) } }
            )
            failure = nil
        } catch let error as OutputError {
            throw error
        } catch {
            // What was seen before is worth showing all the same.
            failure = error
        }
        let findings = state.withLock { Findings(rows: $0.model.present, services: Array($0.services.values)) }
        try output.write(GatewayTable.text(findings, width: output.terminal?.columns, style: style))
        if let failure { throw failure }
    }

    private var view: GatewayTableView {
        state.withLock { state in
            GatewayTableView(
                model: state.model,
                services: Array(state.services.values),
                status: state.status,
                lastChange: state.lastChange,
                style: style
            )
        }
    }

    private func show(_ input: WatchInput, at time: Timestamp) {
        state.withLock { state in
            switch input {
            case .service(let change):
                switch change {
                case .found(let service), .changed(let service, _): state.services[service.instance] = service
                case .lost(let service, _): state.services[service.instance] = nil
                }
            case .map(let update):
                state.model.apply(update, now: .now)
            case .condition(let condition):
                state.status = condition.lines(of: source.name)
            }
            if case .condition = input { return }
            state.lastChange = TimeText.local(time)
        }
        screen.change()
    }
}
