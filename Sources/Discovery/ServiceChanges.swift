package import DNSSD

/// The changes of the set of services that a ``Browser`` sees; see ``Browser/changes``.
///
/// It ends when the browser has ended, or when the task that iterates is cancelled.
package struct ServiceChanges: AsyncSequence, Sendable {
    package typealias Element = ServiceChange
    package typealias Failure = Never

    private let browser: Browser

    init(browser: Browser) {
        self.browser = browser
    }

    /// Begins to read: every service that is present comes first.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(Reading(browser: browser))
    }

    /// An iterator over the changes.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let reading: Reading

        /// The reader whose changes it returns.
        var id: ReaderID { reading.id }

        fileprivate init(_ reading: Reading) {
            self.reading = reading
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ServiceChange? {
            await reading.next()
        }
    }

    /// The registration of one reader, which ends when the last iterator that shares it is gone.
    fileprivate final class Reading: Sendable {
        private let browser: Browser
        let id: ReaderID

        init(browser: Browser) {
            self.browser = browser
            self.id = browser.addReader()
        }

        deinit {
            browser.removeReader(id)
        }

        func next() async -> ServiceChange? {
            await browser.nextChange(for: id)
        }
    }
}
