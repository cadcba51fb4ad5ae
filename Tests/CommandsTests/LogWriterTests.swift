import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import Commands
@testable import Console

/// An agent waits for nobody who reads its log.
@Suite(.timeLimit(.minutes(1))) struct LogWriterTests {
    /// An output that takes nothing until it is opened, as a terminal after Ctrl-S.
    private final class Gate: Sendable {
        private let lock = NSCondition()
        private let isOpen = Atomic(false)
        let text = Mutex("")

        func take(_ bytes: [UInt8]) -> OutputError? {
            lock.lock()
            while !isOpen.load(ordering: .relaxed) { lock.wait() }
            lock.unlock()
            text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            return nil
        }

        func open() {
            lock.lock()
            isOpen.store(true, ordering: .relaxed)
            lock.broadcast()
            lock.unlock()
        }
    }

    /// Lines that nobody takes are kept up to a number; of the rest it is said how many were lost.
    @Test func aLogThatNobodyReadsBlocksNobody() async {
        let gate = Gate()
        let writer = LogWriter { gate.take($0) }
        for index in 0..<(LogWriter.most + 500) { writer.write("line \(index)\n") }
        #expect(writer.trouble() == nil)
        let trouble = writer.trouble(at: .now + LogWriter.timeout + .seconds(1))
        #expect(trouble?.hasPrefix("nobody has taken what standard error says since ") == true)
        #expect(trouble?.hasSuffix(": more than 100 lines of the log are lost") == true, "\(trouble ?? "")")
        gate.open()
        await writer.finish(within: .seconds(30))
        let lines = gate.text.withLock { $0.split(separator: "\n") }
        #expect(lines.first == "line 0" && lines.count <= LogWriter.most + 2)
        let lost = lines.last?.firstMatch(of: /warning: ([0-9]+) lines of this log were lost/)?.output.1
        #expect(lost.flatMap { Int($0) } == LogWriter.most + 500 - (lines.count - 1), "\(lines.suffix(2))")
        #expect(writer.trouble() == nil)
    }

    /// A failure is said, and counted; a standard error that was closed on purpose is no trouble.
    @Test func aFailureIsSaid() async {
        let code = Mutex<Errno?>(.noSpace)
        let writer = LogWriter { _ in code.withLock { $0.map { OutputError(code: $0) } } }
        writer.write("one\n")
        await writer.finish(within: .seconds(30))
        let reason = "standard error cannot be written to: No space left on device"
        #expect(writer.trouble() == "\(reason): some lines of the log are lost")
        code.withLock { $0 = nil }
        writer.write("two\n")
        await writer.finish(within: .seconds(30))
        #expect(writer.trouble() == nil)

        let closed = LogWriter { _ in OutputError(code: .badFileDescriptor) }
        closed.write("one\n")
        await closed.finish(within: .seconds(30))
        #expect(closed.trouble() == nil)
    }
}
