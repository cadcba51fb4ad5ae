import DNSSD
import GatewayClient
import GatewayProtocol

@testable import Scanning

/// The lines of a transcript of a ``ScanDrive``: the questions with their targets, the reports to the map and the
/// browser, and the next time at which something is due.
struct ScanRecord {
    // The numbers of elements of each list that earlier lines contain.
    private var questions = 0
    private var readinessAsked = 0
    private var hostsAsked = 0
    private var released = 0
    private var reconfirmed = 0

    /// Returns the line of a step: everything since the last line.
    mutating func line(of cause: String, _ drive: inout ScanDrive) -> String {
        var parts = drive.questions[questions...].map(Self.text)
        parts += drive.readinessAsked[readinessAsked...].map {
            "\(Self.milliseconds($0.time)) \($0.job.endpoint) is ready?"
        }
        parts += drive.hostsAsked[hostsAsked...].map { "\(Self.milliseconds($0.time)) \($0.address) has \($0.types)?" }
        parts += drive.released[released...].map { "released \($0)" }
        parts += drive.reconfirmed[reconfirmed...].map { "reconfirm \($0)" }
        parts += drive.takeMapRecord().emitted.map(Self.text)
        questions = drive.questions.count
        readinessAsked = drive.readinessAsked.count
        hostsAsked = drive.hostsAsked.count
        released = drive.released.count
        reconfirmed = drive.reconfirmed.count
        parts.append("protected \(drive.protected.sorted())")
        parts.append("next \(drive.state.next.map { Self.milliseconds($0 - drive.start) } ?? "-")")
        parts.append("\(drive.state.progress), idle \(drive.state.isIdle)")
        return "\(Self.milliseconds(drive.elapsed)) \(cause): " + parts.joined(separator: "; ")
    }

    private static func milliseconds(_ duration: Duration) -> String { "\(duration / .milliseconds(1))" }

    private static func text(_ question: ScanDrive.Question) -> String {
        let time = milliseconds(question.time)
        switch question.job {
        case .probe(let job):
            let target = job.question
            return "\(time) \(job.endpoint) is what? \(job.standing) \(job.connections) \(target.rules.origin) "
                + target.hints.map { text($0, job.endpoint) }.joined(separator: "|")
                + (target.pin.map { " \($0)" } ?? "")
        case .check(let job):
            let kind = job.isHeld ? question.isOverKept ? "kept" : "to be kept" : "short"
            return
                "\(time) \(job.endpoint) answers? \(kind) \(job.dialect) \(job.endpoint.resource) \(job.signature != nil) "
                + milliseconds(job.livenessCheck.answerTimeout)
        }
    }

    private static func text(_ hint: ProbeHint, _ endpoint: Endpoint) -> String {
        "\(hint.expected?.rawValue ?? "anything") \(hint.transports) \(endpoint.resource)"
    }

    /// Returns the text of an event; of a service that was found, its name only, since its sightings are in a
    /// dictionary, which has no order.
    private static func text(_ event: BotMapEvent) -> String {
        switch event {
        case .serviceFound(let service): "found \(service.instance)"
        // The reason is the browser's, and is only passed on.
        case .serviceLost(let instance, _): "serviceLost(\(instance))"
        default: "\(event)"
        }
    }
}
