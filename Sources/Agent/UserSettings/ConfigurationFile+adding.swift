package import HostSystem
internal import SystemPackage

/// The reason why a sink was not added to a file.
package enum SinkAdditionError: Error, Hashable, Sendable {
    /// The file is wrong already.
    case wrongFile(ConfigurationError)

    /// The sink is wrong: what was expected, and what was found.
    case wrongSink([ConfigurationProblem])

    /// The file cannot be edited: why, as the end of a sentence.
    case notEdited(String)

    /// The file cannot be written.
    case notWritten(SafeFileError)
}

extension ConfigurationFile {
    /// Adds a sink, and keeps everything else in the file as it is. A file that does not exist is made, for this user alone.
    ///
    /// The new content is read first, as the file is: it must say what the file says, and the sink, and nothing else.
    ///
    /// - Returns: The sink, as the file has it now.
    package func add(_ draft: SinkDraft) throws(SinkAdditionError) -> NoticeSink {
        let before = stamp
        let old = try readForAddition()
        let sink = try Self.checked(draft)
        let new = try Self.content(old, adding: draft, sink, to: self)
        // Others write it, too: editors, and this command in another window.
        guard stamp == before else { throw .notEdited("it has changed meanwhile") }
        do throws(SafeFileError) {
            let file = SafeFile(path: FilePath(path))
            // One that is there may be open to others: the file alone has secrets.
            if Stamp(file.folder.string) == nil { try PrivateFolder(path: file.folder).prepareWithParents() }
            try file.writeKeepingAccess(new)
        } catch  where error.code != .notDurable {
            throw .notWritten(error)
        } catch {
            // It is there; a power failure may take it away.
        }
        return sink
    }

    private func readForAddition() throws(SinkAdditionError) -> [UInt8] {
        var trouble: String?
        let bytes: [UInt8]?
        do throws(ConfigurationProblem) {
            bytes = try read { trouble = $0 }
        } catch {
            throw .wrongFile(ConfigurationError([error]))
        }
        if let trouble { throw .notEdited(trouble) }
        return bytes ?? []
    }

    /// Returns the sink that a draft makes.
    private static func checked(_ draft: SinkDraft) throws(SinkAdditionError) -> NoticeSink {
        let document = SettingsDocument(
            Array("notify: {sinks: [\(draft.entry)]}".utf8),
            of: ConfigurationFile(path: "")
        )
        guard document.problems.isEmpty, let sink = document.notify?.value.sinks.first else {
            // There is no such file and line: what follows them is said.
            throw .wrongSink(
                document.problems.map { problem in
                    let text = problem.description
                    let start = text.firstRange(of: "entry 1: ")?.upperBound ?? text.startIndex
                    return ConfigurationProblem(String(text[start...]))
                }
            )
        }
        return sink
    }

    /// Returns the content of the file with the sink.
    static func content(
        _ old: [UInt8],
        adding draft: SinkDraft,
        _ sink: NoticeSink,
        to file: ConfigurationFile
    ) throws(SinkAdditionError) -> [UInt8] {
        let present = SettingsDocument(old, of: file)
        guard present.problems.isEmpty else { throw .wrongFile(ConfigurationError(present.problems)) }
        guard present.notify?.value.sinks.contains(where: { $0.name == sink.name }) != true else {
            throw .wrongSink([
                ConfigurationProblem("name: expected one of its own, found “\(sink.name)”, which another sink has")
            ])
        }
        guard let text = SinkInsertion.text(of: String(decoding: old, as: UTF8.self), with: draft.entry) else {
            throw .notEdited("“notify” is written in a way that is left to you")
        }
        let new = Array(text.utf8)
        let document = SettingsDocument(new, of: file)
        // A limit, such as that on sinks, is a mistake of the result alone.
        guard document.problems.isEmpty, new.count <= Self.limit else {
            let last = document.problems.last?.description ?? "it would be too long"
            throw .notEdited("what would be in it is wrong: \(last)")
        }
        guard document.hasValues(of: present, and: sink) else {
            throw .notEdited("it is written in a way that is left to you")
        }
        return new
    }
}

extension SettingsDocument {
    /// Indicates whether it says what another one does, and a sink, and nothing else.
    fileprivate func hasValues(of other: SettingsDocument, and sink: NoticeSink) -> Bool {
        var expected = other.notify?.value ?? NoticeSettings()
        var found = notify?.value ?? NoticeSettings()
        guard found.sinks.count == expected.sinks.count + 1, found.sinks.filter({ $0 != sink }) == expected.sinks
        else { return false }
        found.sinks = []
        expected.sinks = []
        return found == expected && gateways?.value == other.gateways?.value
            && advertised?.value == other.advertised?.value && site?.value == other.site?.value
            && advertisesFound?.value == other.advertisesFound?.value && thisHost?.value == other.thisHost?.value
            && tailnet?.value == other.tailnet?.value
            && types?.value == other.types?.value
            && interfaces?.value == other.interfaces?.value && trust?.value == other.trust?.value
            && domains?.value == other.domains?.value && server?.value == other.server?.value
            && port?.value == other.port?.value && pageNames?.value == other.pageNames?.value
            && metricsFile?.value == other.metricsFile?.value
    }
}
