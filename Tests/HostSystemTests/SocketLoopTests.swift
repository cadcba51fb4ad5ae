internal import Glibc
internal import HostSystem
internal import Testing

@Suite("SocketLoop", .timeLimit(.minutes(1))) struct SocketLoopTests {
    /// An object that yields to a stream when it is released.
    private final class Token: Sendable {
        private let gone: AsyncStream<Void>.Continuation

        init(_ gone: AsyncStream<Void>.Continuation) {
            self.gone = gone
        }

        deinit {
            gone.yield()
        }
    }

    /// A pipe that is closed when the object is released.
    private final class Pipe: Sendable {
        struct NoPipe: Error {}

        let reading: CInt
        private let writing: CInt

        init() throws {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { throw NoPipe() }
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }

        func send() {
            var byte: UInt8 = 1
            _ = write(writing, &byte, 1)
        }
    }

    @Test("runs work in order on its own thread")
    func work() async throws {
        let loop = try SocketLoop(name: "test")
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, Bool).self)
        for number in 0..<100 {
            loop.later { [weak loop] in continuation.yield((number, loop?.isIsolatingCurrentContext() ?? false)) }
        }
        var next = 0
        for await (number, isOnThread) in stream.prefix(100) {
            #expect(number == next)
            #expect(isOnThread)
            next += 1
        }
        #expect(loop.isIsolatingCurrentContext() == false)
    }

    @Test("keeps one deadline for each key, and none that was removed")
    func deadlines() async throws {
        let loop = try SocketLoop(name: "test")
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let keys = [
            Token(AsyncStream.makeStream(of: Void.self).continuation),
            Token(AsyncStream.makeStream(of: Void.self).continuation),
        ]
        let ids = keys.map { ObjectIdentifier($0) }
        loop.later { [weak loop] in
            loop?.setDeadline(.now + .milliseconds(20), for: ids[0]) { continuation.yield("second") }
            loop?.setDeadline(.now, for: ids[1]) { continuation.yield("removed") }
            loop?.setDeadline(nil, for: ids[1]) {}
            loop?.setDeadline(.now, for: ids[1]) { continuation.yield("first") }
        }
        var reported: [String] = []
        for await text in stream.prefix(2) { reported.append(text) }
        #expect(reported == ["first", "second"])
        withExtendedLifetime(keys) {}
    }

    /// A new watch is not called because its descriptor's former watch was ready: a library that is called without data
    /// would wait for it.
    @Test("does not call a watch that replaced another one in the same turn for data of the former one")
    func reusedDescriptors() async throws {
        let loop = try SocketLoop(name: "test")
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let pipes = [try Pipe(), try Pipe()]
        loop.later { [weak loop] in
            // Both descriptors are ready in the same turn; the first one to be called replaces the watch of the other.
            for (pipe, other) in [(pipes[0], pipes[1]), (pipes[1], pipes[0])] {
                loop?.watch(pipe.reading) { [weak loop] in
                    loop?.unwatch(pipe.reading)
                    loop?.watch(other.reading) { continuation.yield("the new watch was called") }
                    loop?.later { [weak loop] in
                        loop?.unwatch(other.reading)
                        continuation.yield("end of the turn")
                    }
                }
                pipe.send()
            }
        }
        for await text in stream.prefix(1) { #expect(text == "end of the turn") }
        withExtendedLifetime(pipes) {}
    }

    /// The duration of a blocking call can be read from any thread, so that a frozen daemon that blocks the loop is
    /// noticed.
    @Test("reports on any thread for how long a call has been blocking")
    func blockedCalls() async throws {
        let loop = try SocketLoop(name: "test")
        #expect(loop.blockedFor == nil)
        let pipe = try Pipe()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        loop.later { [weak loop] in
            continuation.yield("begins")
            loop?.blocking {
                var byte: UInt8 = 0
                _ = read(pipe.reading, &byte, 1)
            }
            continuation.yield(loop?.blockedFor == nil ? "has ended" : "still counts")
        }
        var reported = stream.makeAsyncIterator()
        #expect(await reported.next() == "begins")
        while loop.blockedFor ?? .zero < .milliseconds(5) { await Task.yield() }
        pipe.send()
        #expect(await reported.next() == "has ended")
    }

    @Test("ends its thread and releases everything with the loop")
    func end() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        do {
            let loop = try SocketLoop(name: "test")
            let token = Token(continuation)
            loop.later { [weak loop] in
                loop?.setDeadline(.now + .seconds(3_600), for: ObjectIdentifier(token)) {
                    withExtendedLifetime(token) {}
                }
            }
        }
        for await _ in stream.prefix(1) {}
    }

    /// All users of a name have one thread. It ends with the last of them, also when others of that name come later.
    @Test("shares a loop by its name, until nobody holds it")
    func shared() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        weak var ended: SocketLoop?
        do {
            let first = try SocketLoop.shared(name: "test-shared")
            let second = try SocketLoop.shared(name: "test-shared")
            let other = try SocketLoop.shared(name: "test-other")
            #expect(first === second && first !== other)
            let token = Token(continuation)
            first.later { [weak first] in
                first?.setDeadline(.now + .seconds(3_600), for: ObjectIdentifier(token)) {
                    withExtendedLifetime(token) {}
                }
            }
            ended = first
        }
        // The thread has released what it held.
        for await _ in stream.prefix(1) {}
        #expect(ended == nil)
        let (done, isDone) = AsyncStream.makeStream(of: Void.self)
        let next = try SocketLoop.shared(name: "test-shared")
        next.later { isDone.yield() }
        for await _ in done.prefix(1) {}
        withExtendedLifetime(next) {}
    }
}
