@preconcurrency internal import Dispatch
internal import GatewayProtocol
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Questions to the user at the terminal: asked on standard error, answered on standard input.
enum TerminalDialogue {
    /// The maximum length of an answer, in bytes. Bytes beyond it are ignored.
    private static let longest = 4_096

    /// The time to wait for an answer before checking whether the process has to end, in milliseconds.
    private static let pollTime: Int32 = 100

    /// The settings of the terminal before its echo was turned off; `nil` while it is on.
    private static let silenced = Mutex<termios?>(nil)

    /// Indicates whether the user can be asked: standard input and standard error are terminals.
    static var isPossible: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Asks a yes-or-no question. Any answer but `y` and `yes` means no.
    static func confirm(_ question: String) async throws(CommandFailure) -> Bool {
        let answer = try await answer("\(question) [y/N] ")
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Asks for one of several choices, and returns its index. Any answer but the number of a choice means the last
    /// one.
    static func choose(_ question: String, _ choices: [String]) async throws(CommandFailure) -> Int {
        let lines = choices.enumerated().map { "  \($0 + 1) \($1)\n" }.joined()
        let answer = try await answer("\(question)\n\(lines)[1-\(choices.count), default \(choices.count)] ")
        guard let number = Int(answer), choices.indices.contains(number - 1) else { return choices.count - 1 }
        return number - 1
    }

    /// Asks for a line.
    static func answer(_ prompt: String) async throws(CommandFailure) -> String {
        Notes.write(prompt)
        return String(decoding: try await line().drop { $0 == 0x20 }, as: UTF8.self).trimmingEnd
    }

    /// Asks for a secret, which the terminal does not show.
    static func secret(_ prompt: String) async throws(CommandFailure) -> Secret {
        Notes.write(prompt)
        silence()
        defer {
            restore()
            Notes.write("\n")
        }
        return Secret(bytes: try await line())
    }

    /// Waits until Enter is pressed, and returns whether it was: `false` at the end of the input, when the task is
    /// cancelled, or as soon as the condition no longer holds, which is checked ten times a second.
    static func enter(while condition: @escaping @Sendable () -> Bool) async -> Bool {
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
        while !isOver() {
            var wanted = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, pollTime) > 0 else { continue }
            // Byte by byte: anything after the line is for the next question.
            var byte: UInt8 = 0
            let count = try? withUnsafeMutableBytes(of: &byte) { try input.read(into: $0) }
            guard count == 1 else { return nil }
            if byte == 0x0A { return line }
            if line.count < longest { line.append(byte) }
        }
        return nil
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
