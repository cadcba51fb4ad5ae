internal import Agent
internal import Console
internal import DNSSD
internal import Pairing
internal import SystemPackage

/// The access of commands to the history of gateways, which an agent writes.
enum NoticeStoreAccess {
    /// Opens the history.
    ///
    /// - Parameter subject: The content that was expected in it, as the beginning of a sentence.
    /// - Throws: A failure with the exit status 1 if no agent has ever written one.
    static func open(expecting subject: String? = nil) throws(CommandFailure) -> NoticeStore {
        let folder = try CommandFailure.translating { () throws(StoreError) in try StoreLocation.standard().folder }
        let path = FilePath(folder).appending(NoticeStore.fileName)
        guard (try? FileDescriptor.open(path, .readOnly, options: .closeOnExec).close()) != nil else {
            let reason = "there is no history: it begins when `clawradar agent` runs."
            throw CommandFailure(.nothingFound, subject.map { "\($0), and \(reason)" } ?? reason)
        }
        return try translating { () throws(NoticeStoreError) in try NoticeStore(folder: folder) }
    }

    /// Has an operation on the history carried out: by the agent, if it can be asked and has opened the history, else by this
    /// process.
    ///
    /// - Parameter agent: The agent; `nil` for that of this user.
    static func ask<Value>(
        _ store: NoticeStore,
        by agent: (any Radar)? = nil,
        _ body: (any Radar) async throws(RadarError) -> Value
    ) async throws(RadarError) -> Value {
        let local = InProcessRadar(store, version: CommandLineTool.version)
        do throws(RadarError) {
            return try await body(agent ?? AgentOption.radar(else: local))
        } catch {
            // Nothing was changed then.
            guard error.code == .unavailable else { throw error }
            return try await body(local)
        }
    }

    /// The history; `nil` if there is none that can be read.
    static var existing: NoticeStore? { try? open() }

    static func translating<Value>(
        _ body: () throws(NoticeStoreError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(NoticeStoreError) {
            return try body()
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
    }
}

extension GatewayHistory {
    /// Returns the key of the gateway that a text means: a watched one, else one that was watched and is not any more, such as
    /// one that is paired no more.
    ///
    /// - Parameters:
    ///   - name: Any name of it, its key, or the beginning of one.
    ///   - known: The names that the history does not have.
    /// - Throws: A failure with the exit status 1 if none is meant, or 64 if several are.
    func key(of name: String, known: KnownNames = .none) throws(CommandFailure) -> String {
        let watched = watched(known)
        guard NameSearch.matches(name, among: watched).isEmpty else { return try gateway(name, known: known).key }
        let former = former(besides: Set(gateways.map(\.key)), known)
        return try NameSearch.one(name, among: watched + former, absence: Self.absence(name))
    }

    /// Returns the watched gateway that a text means.
    ///
    /// - Throws: A failure with the exit status 1 if none is meant, or 64 if several are.
    func gateway(_ name: String, known: KnownNames = .none) throws(CommandFailure) -> Gateway {
        let key = try NameSearch.one(name, among: watched(known), absence: Self.absence(name))
        guard let gateway = gateways.first(where: { $0.key == key }) else {
            throw CommandFailure(.ourFault, "what was found is not there")
        }
        return gateway
    }

    private static func absence(_ name: String) -> String {
        "no gateway that the agent watches is called \(DisplayText(name, limit: 64).quoted). `clawradar history` lists those that it "
            + "watches."
    }

    private func watched(_ known: KnownNames) -> [Nameable<String>] {
        gateways.flatMap { known.nameables(ofKey: $0.key, [$0.name]) }
    }

    /// Returns those of which there are only events.
    private func former(besides watched: Set<String>, _ known: KnownNames) -> [Nameable<String>] {
        let events =
            outages.map { ($0.key, $0.name) } + notReady.map { ($0.key, $0.name) }
            + transitions.map { ($0.key, $0.name) }
        let names = events.filter { !watched.contains($0.0) }.reduce(into: [String: [String]]()) {
            if $0[$1.0]?.contains($1.1) != true { $0[$1.0, default: []].append($1.1) }
        }
        return names.sorted { $0.key < $1.key }.flatMap { known.nameables(ofKey: $0.key, $0.value) }
    }
}
