import DNSSD
import GatewayProtocol
import Scanning

/// A record of the changes that a scanner has reported so far.
actor Record {
    private var resolved: [ServiceInstance: ContinuousClock.Instant] = [:]
    private var answered: [ServiceInstance: ContinuousClock.Instant] = [:]
    private var shown: [GatewayID: String] = [:]

    /// The longest time from the moment at which a service was resolved to its gateway's answer, in milliseconds.
    var slowest: Int {
        let times = answered.map { instance, time in
            resolved[instance].map { (time - $0) / .milliseconds(1) } ?? 0
        }
        return Int(times.max() ?? 0)
    }

    func note(_ change: ServiceChange) {
        let service = change.service
        if case .lost = change { ScanRecorder.say("service lost \(DisplayText(service.instance.name))") }
        if service.resolution == .resolved, resolved[service.instance] == nil { resolved[service.instance] = .now }
    }

    func note(_ update: MapUpdate) {
        switch update {
        case .snapshot(let snapshot): for row in snapshot.gateways { note(row) }
        case .change(.found(let row), _), .change(.changed(let row, _), _): note(row)
        case .change(.lost(let row), _), .change(.joined(let row, _), _):
            shown[row.id] = nil
            ScanRecorder.say("lost \(DisplayText(row.name))")
        case .change(.problem, _): break
        }
    }

    private func note(_ row: Gateway) {
        if row.dialect != nil {
            for instance in row.services where answered[instance] == nil { answered[instance] = .now }
        }
        let liveness = row.liveness?.rawValue ?? "-"
        let line = "row \(liveness) \(row.dialect?.rawValue ?? "-") \(row.bots.count) \(DisplayText(row.name))"
        guard shown.updateValue(line, forKey: row.id) != line else { return }
        ScanRecorder.say(line)
    }
}
