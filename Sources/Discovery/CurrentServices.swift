public import DNSSD
internal import Synchronization

/// The services that a ``Browser`` sees as they are: all of them at first, and again whenever one has changed. A reader that
/// is slow gets the present services once, however often they have changed meanwhile.
///
/// The sequence ends when the browser has ended, or when the task that iterates is cancelled. What has changed is in
/// ``Browser/changes``.
public struct CurrentServices: AsyncSequence, Sendable {
    public typealias Element = [DiscoveredService]
    public typealias Failure = Never

    private let browser: Browser

    init(browser: Browser) {
        self.browser = browser
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(browser.changes.makeAsyncIterator(), of: browser) }

    /// The iterator, which returns the services again and again. Copies share their position.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var changes: ServiceChanges.AsyncIterator
        private let browser: Browser
        private var hasBegun = false

        fileprivate init(_ changes: ServiceChanges.AsyncIterator, of browser: Browser) {
            self.changes = changes
            self.browser = browser
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [DiscoveredService]? {
            if hasBegun {
                guard await changes.next(isolation: actor) != nil else { return nil }
            }
            hasBegun = true
            return browser.services(afterChangesOf: changes.id)
        }
    }
}

extension Browser {
    /// The services as they are, and again whenever one has changed; see ``CurrentServices``.
    public var currentServices: CurrentServices { CurrentServices(browser: self) }

    /// Returns the services, sorted, and takes the changes that have led to them from what waits for a reader.
    fileprivate func services(afterChangesOf reader: ReaderID) -> [DiscoveredService] {
        state.withLock { state in
            while case .change = state.take(for: reader) {}
            return state.table.services.values.sorted { $0.instance < $1.instance }
        }
    }
}
