@preconcurrency internal import Glibc
public import ServiceLifecycle
internal import UnixSignals

/// Runs services, and a closure beside them, until the program is told to end by SIGINT (Ctrl-C) or SIGTERM, or until one
/// of them ends by itself. Then it cancels the others, and waits for them: everything is closed and withdrawn when it
/// returns.
///
/// It is for the main function of a small program, and the only part of this package that catches a signal for others. What
/// the program prints from then on is written at the end of each line, into a pipe and a journal too. A
/// daemon runs the same services in a `ServiceGroup` of its own.
///
/// ## Usage
///
///     let scanner = try GatewayScanner()
///     try await runUntilSignal(scanner) {
///         for await gateways in scanner.gateways { print(gateways.map(\.name)) }
///     }
///
/// - Parameters:
///   - services: The services to run.
///   - body: Runs beside them, in a task of its own.
/// - Throws: The error of whatever ended first, if it has failed.
public func runUntilSignal(
    _ services: any Service...,
    body: @escaping @Sendable () async throws -> Void
) async throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        for service in services { group.addTask { try await service.run() } }
        group.addTask { for await _ in signals { return } }
        group.addTask { try await body() }
        try await group.next()
    }
}
