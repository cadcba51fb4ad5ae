import DNSSD
import GatewayProtocol
import Scanning

/// The rows and changes that a person sees.
extension ScanDrive {
    /// Returns the row that shows an endpoint.
    func row(of endpoint: Endpoint) -> Gateway? {
        map.gateways.first { $0.paths.contains { $0.endpoint == endpoint } }
    }

    /// The rows of gateways.
    var gateways: [Gateway] { map.gateways.filter { $0.dialect != nil } }

    /// Returns the liveness of an endpoint that was last reported to the map.
    func liveness(_ endpoint: Endpoint) -> Liveness? {
        for event in emitted.reversed() {
            switch event {
            case .liveness(endpoint, let liveness, _): return liveness
            case .probed(endpoint, .gateway, _): return .answering
            default: continue
            }
        }
        return nil
    }

    /// Returns the number of times that an endpoint was asked since `time`.
    func timesAsked(_ endpoint: Endpoint, since time: Duration = .zero) -> Int {
        questions.count { $0.endpoint == endpoint && $0.time >= time }
    }

    /// Returns a line for each change of a row since `time` that a person sees, which excludes round-trip times: `+`
    /// found, `-` lost, `~` changed, `!` problem.
    func changeLines(since time: Duration = .zero) -> [String] {
        var shown: [GatewayID: Gateway] = [:]
        var lines: [String] = []
        for entry in changes {
            let line: String?
            switch entry.change {
            case .found(let row):
                shown[row.id] = row
                line = "+ \(Self.kind(of: row)) \(row.name)\(Self.suffix(row))"
            case .changed(let row, let aspects) where aspects.contains(.identifier):
                // A row that another one has become.
                shown[row.id] = row
                line = "+ \(Self.kind(of: row)) \(row.name)\(Self.suffix(row))"
            case .changed(let row, _):
                let before = shown.updateValue(row, forKey: row.id)
                let (old, new) = (
                    before.map { Self.kind(of: $0) + Self.suffix($0) }, Self.kind(of: row) + Self.suffix(row)
                )
                line = old == new ? nil : "~ \(Self.kind(of: row)) \(row.name)\(Self.suffix(row))"
            case .lost(let row):
                shown[row.id] = nil
                line = "- \(Self.kind(of: row)) \(row.name)"
            case .joined(let row, _):
                shown[row.id] = nil
                line = "- \(Self.kind(of: row)) \(row.name) into another"
            case .problem(let problem):
                line = "! \(problem)"
            }
            if let line, entry.time >= time { lines.append(line) }
        }
        return lines
    }

    private static func kind(of row: Gateway) -> String { row.dialect == nil ? "other" : "gateway" }

    private static func suffix(_ row: Gateway) -> String {
        let liveness = row.liveness.map { $0 == .answering ? "" : " \($0.rawValue)" } ?? ""
        return liveness + row.flags.sorted().map { " \($0.rawValue)" }.joined()
    }
}
