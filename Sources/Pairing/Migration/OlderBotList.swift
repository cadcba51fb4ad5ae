internal import GatewayProtocol

/// The older configuration of bots: a JSON list, read as far as it can be.
package struct OlderBotList: Sendable {
    /// An entry that is not imported.
    package struct Refused: Hashable, Sendable {
        /// The line on which it begins.
        package let line: Int

        /// The reason, for people. Quotes nothing of the entry.
        package let reason: String
    }

    /// The maximum number of bytes of a file.
    package static let maximumBytes = 8 * 1_024 * 1_024

    /// The maximum number of entries.
    package static let maximumEntries = 1_000

    /// The bots, in the order of the file.
    package private(set) var bots: [OlderBot] = []

    /// The entries that are not imported.
    package private(set) var refused: [Refused] = []

    /// Reads a file.
    ///
    /// - Throws: ``OlderBot/Problem`` where it is no list, or one of too many entries.
    package init(parsing bytes: [UInt8]) throws(OlderBot.Problem) {
        var reader: JSONListReader
        do throws(GatewayMessageError) {
            reader = try JSONListReader(bytes, limits: OlderBot.limits)
        } catch {
            throw OlderBot.Problem("\(error.message)")
        }
        var seen: Set<String> = []
        var count = 0
        while let element = reader.next() {
            count += 1
            guard count <= Self.maximumEntries else {
                throw OlderBot.Problem("expected at most \(Self.maximumEntries) bots, found more")
            }
            let entry = element.value.mapError { OlderBot.Problem($0.message) }.flatMap { json in
                Result { () throws(OlderBot.Problem) in try OlderBot(json, line: element.line) }
            }
            switch entry {
            case .success(let bot):
                guard seen.insert("\(bot.url) \(bot.id)").inserted else {
                    refused.append(Refused(line: element.line, reason: "the same bot is there before"))
                    continue
                }
                bots.append(bot)
            case .failure(let problem):
                refused.append(Refused(line: element.line, reason: problem.description))
            }
        }
        if let failure = reader.failure {
            let line = failure.message.split(separator: " ").last.flatMap { Int($0) } ?? 0
            refused.append(Refused(line: line, reason: "\(failure.message). What follows was not read"))
        }
    }
}
