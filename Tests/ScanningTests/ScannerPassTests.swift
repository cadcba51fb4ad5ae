import DNSSD
import Discovery
import Dispatch
import GatewayProtocol
import Synchronization
import TestSupport
import Testing

@testable import Scanning

/// The progress by which a watchdog knows that the scanner does not hang.
@Suite(.timeLimit(.minutes(1))) struct ScannerPassTests {
    @Test func oneThatDoesNotRunHoldsNobodyUp() async throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: FakeBackend())
        await GatewayScanner(ScannerConfiguration(), browser: browser).pass()
    }

    /// The map does not answer: the loop of the scanner waits for it, while the scanner itself can still be called.
    @Test func aLoopThatHangsMakesNoProgress() async throws {
        let backend = FakeBackend()
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        let constellation = Constellation()
        let scanner = GatewayScanner(
            ScannerConfiguration(probes: false),
            browser: browser,
            constellation: constellation
        )
        let run = Task { try? await scanner.run() }
        await backend.started()
        backend.send(.status(.running))
        await scanner.pass()
        let (stands, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let block = Task { await constellation.stand(stands, until: goOn) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                stands.wait()
                continuation.resume()
            }
        }
        let service = Samples.service("Home", at: [try #require(IPAddress("10.0.0.2"))])
        backend.send(.sighted(try #require(service.sightings.values.first)))
        // Until the loop has come to report the service.
        var stuck: Task<Void, Never>?
        while stuck == nil {
            let pass = Pass(of: scanner)
            for _ in 0..<20 where !pass.isOver { try await Task.sleep(for: .milliseconds(5)) }
            if !pass.isOver { stuck = pass.task }
        }
        goOn.signal()
        await stuck?.value
        await block.value
        run.cancel()
        await run.value
    }
}

/// A task that waits for progress of a scanner.
private struct Pass {
    private final class State: Sendable {
        let isOver = Atomic(false)
    }

    private let state = State()
    let task: Task<Void, Never>

    var isOver: Bool { state.isOver.load(ordering: .relaxed) }

    init(of scanner: GatewayScanner) {
        task = Task { [state] in
            await scanner.pass()
            state.isOver.store(true, ordering: .relaxed)
        }
    }
}

extension Constellation {
    /// Stands still, and says so, until it may go on.
    fileprivate func stand(_ stands: DispatchSemaphore, until goOn: DispatchSemaphore) {
        stands.signal()
        goOn.wait()
    }
}
