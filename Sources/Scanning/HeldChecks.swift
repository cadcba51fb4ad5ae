internal import DNSSD

/// The connections that are held to gateways, or are being opened, each with the questions that are to go over it. A value.
struct HeldChecks {
    private struct Held {
        let number: Int
        let job: CheckJob
        let questions: AsyncStream<Void>.Continuation
    }

    private var held: [Endpoint: Held] = [:]
    private var last = 0

    /// Asks over the connection that is held to an endpoint, or over a new one if there is none or it leads to the gateway's
    /// former path.
    ///
    /// - Returns: The number of a new connection that is to be opened, and its questions, of which the first waits already.
    mutating func ask(_ job: CheckJob) -> (number: Int, questions: AsyncStream<Void>)? {
        if let known = held[job.endpoint], known.job.path == job.path {
            known.questions.yield()
            return nil
        }
        letGo(of: job.endpoint)
        last += 1
        let (questions, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        held[job.endpoint] = Held(number: last, job: job, questions: continuation)
        continuation.yield()
        return (last, questions)
    }

    /// Indicates whether a connection is the one that is held to an endpoint now.
    func isLatest(_ number: Int, at endpoint: Endpoint) -> Bool { held[endpoint]?.number == number }

    /// Lets go of the connection that is held to an endpoint, if there is one.
    mutating func letGo(of endpoint: Endpoint) { held.removeValue(forKey: endpoint)?.questions.finish() }

    /// Lets go of all connections.
    mutating func letGoOfAll() {
        for endpoint in Array(held.keys) { letGo(of: endpoint) }
    }
}
