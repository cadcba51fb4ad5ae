package import DNSSD
package import HostSystem
internal import SystemPackage

/// A transport that carries DNS messages to servers and their answers back, over UDP or TCP, for whoever asks or updates zones.
///
/// Each message over UDP has a socket of its own, and so a port that nobody can know; what does not come from the server, or does
/// not repeat the id and the first question byte by byte, is no answer. All messages to one server over TCP share a connection,
/// on which several wait at once (RFC 7766 §6.2), and which is closed when nothing has waited for a while.
///
/// It sends the bytes as they are and returns those that came, so that signatures can be made and checked over them. It repeats
/// nothing and follows nothing: whether an answer is cut, refused or signed is for the caller to see.
///
/// ## Usage
///
/// ```swift
/// let transport = try DNSTransport()
/// let query = DNSMessage(id: .random(in: 0 ... .max), questions: [DNSQuestion(name: zone, type: .soa)])
/// let answer = try await transport.exchange(query.encoded().bytes, with: server, over: .tcp, within: .seconds(5))
/// let received = try DNSReceivedMessage(decoding: answer).message
/// ```
package actor DNSTransport {
    /// A protocol that carries a message.
    package enum Carrier: Hashable, Sendable {
        /// For messages of up to 1,232 bytes, whose answers may be cut (TC).
        case udp

        /// For the others.
        case tcp
    }

    /// The port of DNS.
    package static let port: UInt16 = 53

    /// The number of bytes of a message over UDP that passes every link in one piece (DNS flag day 2020).
    package static let payloadSize = 1_232

    /// The maximum number of answers to one question that do not match it. Somebody who guesses gets no more tries; the caller
    /// may ask over TCP, where guessing is of no use.
    private static let mostForgeries = 16

    /// A message that waits for its answer.
    private struct Waiting {
        let message: [UInt8]
        let server: Endpoint
        let carrier: Carrier
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Result<[UInt8], DNSExchangeError>, Never>
        var forgeries = 0
    }

    private let loop: SocketLoop
    private let clock: any MonotonicClock
    private var lastNumber = 0
    private var waiting: [Int: Waiting] = [:]
    private var ports: [Int: ServerPort] = [:]
    private var connections: [Endpoint: ServerConnection] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a transport on the thread that all transports share.
    ///
    /// - Throws: The system's error if it provides no descriptor or thread.
    package init() throws(SystemError) {
        self.init(loop: try SocketLoop.shared(name: "dns"), clock: ContinuousClock())
    }

    init(loop: SocketLoop, clock: any MonotonicClock) {
        self.loop = loop
        self.clock = clock
    }

    isolated deinit {
        for port in ports.values { port.close(loop) }
        for connection in connections.values { connection.close(loop) }
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
    }

    /// Sends a message, and returns the answer to it: the first one with its id and its first question.
    ///
    /// - Parameters:
    ///   - message: The message as it is to be sent; over TCP without its length.
    ///   - server: The server's address and port.
    ///   - carrier: The protocol.
    ///   - timeout: The longest time to wait, for the connection too.
    package nonisolated func exchange(
        _ message: [UInt8],
        with server: Endpoint,
        over carrier: Carrier,
        within timeout: Duration
    ) async throws(DNSExchangeError) -> [UInt8] {
        try await send(message, server, carrier, timeout).get()
    }

    private func send(
        _ message: [UInt8],
        _ server: Endpoint,
        _ carrier: Carrier,
        _ timeout: Duration
    ) async -> Result<[UInt8], DNSExchangeError> {
        lastNumber += 1
        let (number, deadline) = (lastNumber, clock.now + timeout)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[number] = Waiting(
                    message: message,
                    server: server,
                    carrier: carrier,
                    deadline: deadline,
                    continuation: continuation
                )
                guard !Task.isCancelled else {
                    return end(number, .failure(DNSExchangeError(.cancelled, "is not asked any more")))
                }
                begin(number)
                setDeadline()
            }
        } onCancel: {
            loop.later { [weak self] in
                self?.assumeIsolated { $0.end(number, .failure(DNSExchangeError(.cancelled, "is not asked any more"))) }
            }
        }
    }

    private func begin(_ number: Int) {
        guard let exchange = waiting[number] else { return }
        let server = SocketAddress(exchange.server.address, port: exchange.server.port)
        do throws(SystemError) {
            switch exchange.carrier {
            case .udp:
                let port = try ServerPort(server)
                ports[number] = port
                port.watch(loop) { [weak self] in self?.assumeIsolated { $0.read(number) } }
                try port.send(exchange.message)
            case .tcp:
                let connection = try connection(to: exchange.server)
                connection.append(exchange.message)
                try connection.write()
                watch(connection, of: exchange.server)
            }
        } catch {
            if exchange.carrier == .tcp { lose(exchange.server, DNSExchangeError(error)) }
            end(number, .failure(DNSExchangeError(error)))
        }
    }

    private func end(_ number: Int, _ result: Result<[UInt8], DNSExchangeError>) {
        guard let exchange = waiting.removeValue(forKey: number) else { return }
        ports.removeValue(forKey: number)?.close(loop)
        exchange.continuation.resume(returning: result)
        if exchange.carrier == .tcp, !isConnectionNeeded(to: exchange.server) {
            connections[exchange.server]?.idleUntil = clock.now + ServerConnection.idleTimeout
        }
        setDeadline()
    }

    // MARK: UDP

    private func read(_ number: Int) {
        guard let port = ports[number] else { return }
        do throws(SystemError) {
            while let exchange = waiting[number], let answer = try port.receive() {
                if answer.isDNSAnswer(to: exchange.message) { return end(number, .success(answer)) }
                waiting[number]?.forgeries += 1
                guard exchange.forgeries < Self.mostForgeries else {
                    let message = "was asked over UDP while somebody sent answers that do not match"
                    return end(number, .failure(DNSExchangeError(.forged, message)))
                }
            }
        } catch {
            end(number, .failure(DNSExchangeError(error)))
        }
    }

    // MARK: TCP

    private func connection(to server: Endpoint) throws(SystemError) -> ServerConnection {
        if let connection = connections[server] { return connection }
        let connection = try ServerConnection(SocketAddress(server.address, port: server.port))
        connections[server] = connection
        return connection
    }

    private func isConnectionNeeded(to server: Endpoint) -> Bool {
        waiting.values.contains { $0.carrier == .tcp && $0.server == server }
    }

    private func watch(_ connection: ServerConnection, of server: Endpoint) {
        connection.watch(loop) { [weak self] in self?.assumeIsolated { $0.work(server) } }
    }

    private func work(_ server: Endpoint) {
        guard let connection = connections[server] else { return }
        do throws(SystemError) {
            try connection.write()
            let isOpen = try connection.read { message in
                let match = waiting.first { _, exchange in
                    exchange.carrier == .tcp && exchange.server == server && message.isDNSAnswer(to: exchange.message)
                }
                if let number = match?.key { end(number, .success(message)) }
            }
            guard isOpen else {
                return lose(server, DNSExchangeError(.connectionLost, "has ended the connection"))
            }
            watch(connection, of: server)
        } catch {
            lose(server, DNSExchangeError(error))
        }
    }

    /// Closes a connection; whatever waits on it gets an error.
    private func lose(_ server: Endpoint, _ error: DNSExchangeError) {
        connections.removeValue(forKey: server)?.close(loop)
        for (number, exchange) in waiting where exchange.carrier == .tcp && exchange.server == server {
            end(number, .failure(error))
        }
    }

    // MARK: Time

    private func setDeadline() {
        let idle = connections.values.compactMap(\.idleUntil)
        let next = (waiting.values.map(\.deadline) + idle).min()
        loop.setDeadline(next, for: ObjectIdentifier(self)) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    private func tick() {
        let now = clock.now
        for (number, exchange) in waiting where exchange.deadline <= now {
            let error = DNSExchangeError(.noAnswer, "does not answer")
            end(number, .failure(error))
            // The next message begins with a connection of its own, in case this one leads nowhere any more.
            if exchange.carrier == .tcp, !isConnectionNeeded(to: exchange.server) { lose(exchange.server, error) }
        }
        for (server, connection) in connections where connection.idleUntil.map({ $0 <= now }) == true {
            connections.removeValue(forKey: server)?.close(loop)
        }
        setDeadline()
    }
}

extension DNSExchangeError {
    /// Creates the error of a system call that failed.
    fileprivate init(_ error: SystemError) {
        switch error.code {
        case .connectionRefused: self.init(.notListening, "has no DNS server at this port")
        case .connectionReset, .brokenPipe: self.init(.connectionLost, "has ended the connection")
        default: self.init(.unreachable, "cannot be reached (\(error.code))")
        }
    }
}

extension [UInt8] {
    /// Indicates whether a message answers another one: it is a response with the same id and opcode, and repeats the first
    /// question with the same case of its letters. One that reports an error may leave the question out.
    func isDNSAnswer(to question: [UInt8]) -> Bool {
        guard count >= 12, question.count >= 12, self[0..<2] == question[0..<2] else { return false }
        guard self[2] & 0xF8 == question[2] & 0x78 | 0x80 else { return false }
        // A question has no compressed name: nothing is before it.
        var end = 12
        while end < question.count, question[end] != 0 { end += Int(question[end]) + 1 }
        end += 5
        guard end <= question.count else { return false }
        if self[4] == 0, self[5] == 0 { return self[3] & 0x0F != 0 }
        return count >= end && self[12..<end] == question[12..<end]
    }
}
