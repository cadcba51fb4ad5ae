internal import Agent
internal import Console

/// The settings of a user, as a command reads them: the file, the environment, and what the command line says instead.
struct SettingsReader: Sendable {
    /// The gateways to advertise that the command line names.
    let advertised: [AdvertisedGateway]

    /// The port at which the agent answers, if the command line names one.
    var port: UInt16?

    /// The file for metrics, if the command line names one.
    var metricsFile: String?

    /// Reads the settings that are in force now.
    func settings(warn: (String) -> Void) throws(ConfigurationError) -> Settings {
        let environment = Environment.values(of: Settings.variables)
        var settings = try Settings(
            environment: environment,
            file: ConfigurationFile(environment: environment),
            warn: warn
        )
        if !advertised.isEmpty { settings.advertised = Setting(advertised, from: .commandLine) }
        if port != nil { settings.port = Setting(port, from: .commandLine) }
        if metricsFile != nil { settings.metricsFile = Setting(metricsFile, from: .commandLine) }
        return settings
    }

    /// Says that a file is ignored, and why.
    static func noteWhatIsLeftOut(_ reason: String) { Notes.warning("\(reason). What it names is left out.") }

    /// Reads the settings for a command that works without them, too: what is wrong in them is a warning.
    static func settingsOrWarnings() -> Settings {
        do throws(ConfigurationError) {
            // A file that cannot be opened is said by whatever needs it.
            return try SettingsReader(advertised: []).settings { _ in }
        } catch {
            for problem in error.problems { Notes.warning(problem.description) }
            return Settings()
        }
    }
}

/// The part of an agent that reads the settings again when their file changes, or the user asks for it by SIGHUP.
struct ConfigurationPart: Sendable {
    /// The time between two looks at the file.
    private static let interval = Duration.seconds(3)

    private let reader: SettingsReader
    private let agent: Agent

    /// The reason for which the file could not be read when the agent was started.
    private let trouble: String?

    /// The stamp of the file from before it was read then.
    private let stamp: ConfigurationFile.Stamp?

    init(_ reader: SettingsReader, _ agent: Agent, trouble: String?, stamp: ConfigurationFile.Stamp?) {
        self.reader = reader
        self.agent = agent
        self.trouble = trouble
        self.stamp = stamp
    }

    /// The stamp of the file now; `nil` if there is none.
    static var stamp: ConfigurationFile.Stamp? { file?.stamp }

    private static var file: ConfigurationFile? {
        ConfigurationFile(environment: Environment.values(of: ConfigurationFile.variables))
    }

    var part: AgentPart { AgentPart("configuration") { await run($0) } }

    /// Follows the settings until the task is cancelled.
    private func run(_ reporter: PartReporter) async {
        reporter.works(except: trouble)
        await withDiscardingTaskGroup { group in
            group.addTask { for await count in Signals.takeHangUps() where count > 0 { read(reporter) } }
            group.addTask {
                let file = Self.file
                var known = stamp
                while (try? await Task.sleep(for: Self.interval)) != nil {
                    let stamp = file?.stamp
                    guard stamp != known else { continue }
                    known = stamp
                    read(reporter)
                }
            }
        }
    }

    private func read(_ reporter: PartReporter) {
        var unread: String?
        do throws(ConfigurationError) {
            let settings = try reader.settings { unread = $0 }
            // Nothing is known of what it names now.
            if let unread { return reporter.isImpaired("what was in force stays so: \(unread)") }
            agent.take(settings)
            let start = agent.configuration.userSettings
            let isScopeChanged =
                settings.types.value != start.types.value || settings.interfaces.value != start.interfaces.value
                || settings.wideArea != start.wideArea
            reporter.works(
                except: isScopeChanged
                    ? "types, interfaces, domains and server stay as they were until the agent is started again" : nil
            )
        } catch {
            let mistakes = error.problems.map(\.description).joined(separator: "; ")
            reporter.isImpaired("what was in force stays so: \(mistakes)")
        }
    }
}
