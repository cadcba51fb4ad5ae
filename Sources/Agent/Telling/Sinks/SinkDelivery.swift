internal import DNSSD
internal import Glibc
internal import HostSystem
internal import Synchronization

/// Gives messages to sinks.
package enum SinkDelivery {
    /// The time that a program may take.
    private static let programTimeout = Duration.seconds(10)

    /// The programs run on threads of their own, since they are waited for.
    private static let programs = BlockingCalls(most: 4)

    /// The places of `sendmail` outside the path.
    private static let sendmail = ["/usr/sbin/sendmail", "/usr/lib/sendmail"]

    /// Gives a message to a sink. If the task is cancelled, that ends within two seconds, whatever the sink does.
    package static func deliver(_ message: WaitingMessage, to sink: NoticeSink) async -> SinkOutcome {
        switch sink.channel {
        case .exec(let command):
            return await run(command, Array(message.line.utf8))
        case .desktop:
            return await run(desktop(message), [])
        case .mail(let address):
            let program = sendmail.first { access($0, X_OK) == 0 } ?? "sendmail"
            return await run([program, "-i", "--", address], MailText.bytes(message, to: address))
        case .webhook(let webhook):
            return await WebhookCall(webhook).send(message)
        }
    }

    /// The command that shows a message on the desktop. Arguments can be read by every user of this host, and what shows them
    /// reads markup: nothing from the network is in them.
    static func desktop(_ message: WaitingMessage) -> [String] {
        ["notify-send", "--app-name=clawradar", "--", message.publicTitle, "`clawradar history` shows more."]
    }

    private static func run(_ command: [String], _ input: [UInt8]) async -> SinkOutcome {
        let program = ProgramRun(command, input: input, timeout: programTimeout)
        let stop = Stop()
        let (end, output) = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                programs.run { continuation.resume(returning: program.run { stop.isWanted }) }
            }
        } onCancel: {
            stop.want()
        }
        let said = DisplayText(
            String(decoding: output.split(separator: UInt8(ascii: "\n")).last ?? [], as: UTF8.self),
            limit: 200
        ).text
        let words = said.isEmpty ? "" : ": \(said)"
        return switch end {
        case .exit(0): .delivered("\(command[0]) has ended with 0\(words)")
        case .exit(let status): .failed("\(command[0]) has ended with \(status)\(words)", retryAfter: nil)
        case .signal(let number): .failed("\(command[0]) was ended by signal \(number)\(words)", retryAfter: nil)
        case .timedOut:
            .failed("\(command[0]) did not end within \(programTimeout.components.seconds) s", retryAfter: nil)
        case .stopped: .failed("\(command[0]) was ended, since the agent ends", retryAfter: nil)
        case .failed(let reason): .failed("\(command[0]) cannot be run: \(reason)", retryAfter: nil)
        }
    }
}

/// The wish that a program ends, from another thread than the one that waits for it.
private final class Stop: Sendable {
    private let flag = Atomic(false)

    var isWanted: Bool { flag.load(ordering: .relaxed) }

    func want() { flag.store(true, ordering: .relaxed) }
}

/// The outcome of an attempt to deliver a message. A value.
package enum SinkOutcome: Hashable, Sendable {
    /// It has arrived, as far as the sink can tell; with its answer, for people.
    case delivered(String)

    /// It has not arrived, for this reason, and is to be tried again: not before this time, if the sink says so.
    case failed(String, retryAfter: Duration?)

    /// It will never be taken, for this reason.
    case refused(String)
}
