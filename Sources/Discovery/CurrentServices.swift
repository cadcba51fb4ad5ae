public import DNSSD
internal import Synchronization

/// The services that a ``Browser`` sees as they are: all of them at first, and again whenever one has changed. A reader that
/// is slow gets the present services once, however often they have changed meanwhile.
///
/// The sequence ends when the browser has ended, or when the task that iterates is cancelled. What has changed is in
/// ``Browser/changes``.
package struct CurrentServices: AsyncSequence, Sendable {
    package typealias Element = [DiscoveredService]
    package typealias Failure = Never

    private let browser: Browser

    init(browser: Browser) {
        self.browser = browser
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(ServiceChanges(browser: browser).makeAsyncIterator(), of: browser)
    }

    /// The iterator, which returns the services again and again. Copies share their position.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private var changes: ServiceChanges.AsyncIterator
        private let browser: Browser
        private var hasBegun = false

        fileprivate init(_ changes: ServiceChanges.AsyncIterator, of browser: Browser) {
            self.changes = changes
            self.browser = browser
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [DiscoveredService]? {
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
    public var currentServices: some AsyncSequence<[DiscoveredService], Never> & Sendable {
        CurrentServices(browser: self)
    }

    /// Returns the services, sorted, and takes the changes that have led to them from what waits for a reader.
    fileprivate func services(afterChangesOf reader: ReaderID) -> [DiscoveredService] {
        state.withLock { state in
            while case .change = state.take(for: reader) {}
            return state.table.services.values.sorted { $0.instance < $1.instance }
        }
    }
}
