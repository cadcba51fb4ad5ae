internal import DNSSD
internal import Discovery

extension BrowserCondition {
    /// Describes the condition for people: the newest warning, what is waited for, and last the state.
    func lines(of source: String) -> [String] {
        var lines = warnings.last.map { ["warning: \($0.message)"] } ?? []
        switch status {
        case .starting: lines.append("\(source): starting")
        case .running: lines.append("\(source): running")
        case .unavailable(let error): lines += ["waiting: \(error.message)", "\(source): not available"]
        }
        return lines
    }
}
