@preconcurrency internal import Dispatch
package import GatewayProtocol
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Questions to the user at the terminal: asked on standard error, answered on standard input.
///
/// What was typed before a question is no answer to it: the user has not seen it. It is discarded, and an answer that
/// comes faster than anybody reads is asked for again.
package enum TerminalDialogue {
    /// The maximum length of an answer, in bytes. Bytes beyond it are ignored.
    private static let longest = 4_096

    /// The time to wait for an answer before checking whether the process has to end, in milliseconds.
    private static let pollTime: Int32 = 100

    /// The settings of the terminal before its echo was turned off; `nil` while it is on.
    private static let silenced = Mutex<termios?>(nil)

    /// Indicates whether the user can be asked: standard input and standard error are terminals.
    package static var isPossible: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Asks a yes-or-no question. Any answer but `y` and `yes` means no.
    package static func confirm(_ question: String) async throws(CommandFailure) -> Bool {
        let answer = try await answer("\(question) [y/N] ")
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Asks for one of several choices, and returns its index. Any answer but the number of a choice means the last
    /// one.
    package static func choose(_ question: String, _ choices: [String]) async throws(CommandFailure) -> Int {
        let lines = choices.enumerated().map { "  \($0 + 1) \($1)\n" }.joined()
        let answer = try await answer("\(question)\n\(lines)[1-\(choices.count), default \(choices.count)] ")
        guard let number = Int(answer), choices.indices.contains(number - 1) else { return choices.count - 1 }
        return number - 1
    }

    /// Asks for a line. The last line of the prompt is repeated if the answer came too early.
    package static func answer(_ prompt: String) async throws(CommandFailure) -> String {
        var prompt = prompt
        var haste = AnswerHaste()
        while true {
            discardInput()
            Notes.write(prompt)
            let asked = ContinuousClock.now
            let line = try await line()
            switch haste.judge(.now - asked) {
            case .counts: return String(decoding: line.drop { $0 == 0x20 }, as: UTF8.self).trimmingEnd
            case .isAskedAgain: Notes.note("that came before the question could be read. Answer it now.")
            case .isGivenUp:
                throw CommandFailure(.cancelled, "cancelled, since a program seems to answer; options can do that.")
            }
            prompt = String(prompt.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
            // Whatever else is typed until then is part of the same answer.
            try? await Task.sleep(until: asked + AnswerHaste.readingTime, clock: .continuous)
        }
    }

    /// Discards what was typed and has not been read.
    private static func discardInput() { tcflush(0, TCIFLUSH) }

    /// Asks for a secret, which the terminal does not show.
    package static func secret(_ prompt: String) async throws(CommandFailure) -> Secret {
        // First, so that nothing that is typed is shown.
        silence()
        defer {
            restore()
            Notes.write("\n")
        }
        discardInput()
        Notes.write(prompt)
        let line = try await line()
        defer { line.wipe() }
        return try Secret(typed: line, "what was typed")
    }

    /// Waits until Enter is pressed, and returns whether it was: `false` at the end of the input, when the task is
    /// cancelled, or as soon as the condition no longer holds, which is checked ten times a second.
    package static func enter(while condition: @escaping @Sendable () -> Bool) async -> Bool {
        let isOver = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "clawradar.enter").async {
                    let line = read(.standardInput) { isOver.isSet || Signals.requestedAt != nil || !condition() }
                    continuation.resume(returning: line != nil)
                }
            }
        } onCancel: {
            isOver.set()
        }
    }

    /// Turns the echo of the terminal back on, if it was turned off.
    static func restore() {
        silenced.withLock { settings in
            guard var before = settings else { return }
            tcsetattr(0, TCSANOW, &before)
            settings = nil
        }
    }

    private static func silence() {
        silenced.withLock { settings in
            var before = termios()
            guard settings == nil, tcgetattr(0, &before) == 0 else { return }
            var quiet = before
            quiet.c_lflag &= ~tcflag_t(ECHO)
            // TCSAFLUSH discards what was typed before the question, because it is no answer to it.
            guard tcsetattr(0, TCSAFLUSH, &quiet) == 0 else { return }
            settings = before
        }
    }

    /// Reads a line on a thread of its own, because the user can take any time to answer. Ends when the task is
    /// cancelled.
    static func line(from input: FileDescriptor = .standardInput) async throws(CommandFailure) -> [UInt8] {
        let isOver = Flag()
        let line = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "clawradar.dialogue").async {
                    continuation.resume(returning: read(input) { isOver.isSet || Signals.requestedAt != nil })
                }
            }
        } onCancel: {
            isOver.set()
        }
        guard let line else { throw CommandFailure(.cancelled, "cancelled; nothing was changed.") }
        return line
    }

    /// A flag that informs the reading thread that its answer is no longer needed.
    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isSet: Bool { value.withLock { $0 } }

        func set() { value.withLock { $0 = true } }
    }

    /// Reads a line without its line feed; returns `nil` when the answer is no longer needed, or at the end of the
    /// input.
    private static func read(_ input: FileDescriptor, until isOver: () -> Bool) -> [UInt8]? {
        var line: [UInt8] = []
        // An array that grows leaves copies of its content behind.
        line.reserveCapacity(longest)
        while !isOver() {
            var wanted = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, pollTime) > 0 else { continue }
            // Byte by byte: what comes after the line is not part of the answer.
            var byte: UInt8 = 0
            let count = try? withUnsafeMutableBytes(of: &byte) { try input.read(into: $0) }
            guard count == 1 else { return nil }
            if byte == 0x0A { return line }
            if line.count < longest { line.append(byte) }
        }
        return nil
    }
}

/// The haste of answers to one question. A value: no clock, no I/O.
struct AnswerHaste: Hashable, Sendable {
    /// A verdict on an answer.
    enum Verdict: Hashable, Sendable {
        case counts
        case isAskedAgain
        /// A program seems to answer instead of the user.
        case isGivenUp
    }

    /// The time after a question in which nobody has read it.
    static let readingTime = Duration.milliseconds(300)

    private static let mostHasty = 5

    private var hasty = 0

    /// Judges an answer by the time since the question was shown.
    mutating func judge(_ elapsed: Duration) -> Verdict {
        guard elapsed < Self.readingTime else { return .counts }
        hasty += 1
        return hasty < Self.mostHasty ? .isAskedAgain : .isGivenUp
    }
}

extension String {
    /// The text without white space at its end.
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
