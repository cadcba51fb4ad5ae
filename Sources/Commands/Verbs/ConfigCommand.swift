internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Reports

/// `clawradar config`: the settings that are in force, and where each comes from.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows the settings that are in force, and where each of them comes from.",
        usage: "clawradar config [<options>]",
        discussion: """
            Settings are read from $XDG_CONFIG_HOME/clawradar/config.yaml, or ~/.config/clawradar/config.yaml where \
            that variable is not set:

              gateways: [192.168.1.50:3000, wss://bot.example.org]
              advertise:
                - gateway: ws://127.0.0.1:18789
                  name: Studio
              notify:
                watch: own
                quiet-hours: "22:00-07:00"
                sinks:
                  - {name: log, exec: [/usr/local/bin/tell]}
                  - {name: phone, webhook-file: /home/me/ntfy-url, form: ntfy}
                  - {name: desk, desktop: true}
                  - {name: post, mail: me@example.org}
              types: [_openclaw-gw._tcp]
              interfaces: [eth0]
              domains: [openclaw.internal]
              server: 10.0.0.1
              trust: address
              port: 7417
              page: {names: [box.example.org]}
              metrics-file: /var/lib/node_exporter/clawradar.prom
              this-host: true
              tailnet: [studio, tag:ai]
              site: {zone: kitchen.example.org, key: /home/me/site1.key, gateways: all}

            gateways are asked by every command that looks for gateways; CLAWRADAR_GATEWAYS replaces the list. \
            advertise names gateways of this host, which the agent advertises while they answer; name is for one that \
            gives itself none, and auto, alone or in the list, stands for all that others can reach and nobody advertises. \
            this-host has the agent ask the ports of this host at which gateways may listen, and tailnet the machines of the tailnet: true, or a list of names and tags. \
            site is the domain in which the agent publishes the gateways of its LAN: all, or a list of names and \
            fingerprints. notify says of which gateways the agent tells you, and how: watch is own (those that you \
            have paired or named), all, none, or a list of names; a sink is a program, which gets JSON on standard \
            input, a web server (form: json, ntfy, slack, discord, home-assistant), the desktop, or mail; `clawradar notify add` writes one. \
            types and interfaces are what is looked for, and where, if --type and --interface do not say it; \
            domains are looked in too, by unicast DNS, if --domain does not say it, and server is asked for them in place \
            of the system's DNS servers. trust is \
            the --trust of `clawradar pair` if none is given. port and metrics-file are those of the agent; page names \
            the hosts by which browsers reach its page, besides 127.0.0.1 and localhost. \
            docs/agent.md and docs/be-told.md have all keys.

            EXAMPLES:
              clawradar config
              clawradar config check
              clawradar config check new.yaml && cp new.yaml ~/.config/clawradar/

            Exit status: 0, or 64 if a setting is wrong.
            """,
        subcommands: [ConfigCheckCommand.self]
    )

    @OptionGroup var format: ReportFormatOption

    func run() throws {
        let settings: Settings
        do throws(ConfigurationError) {
            settings = try SettingsReader(advertised: []).settings(warn: SettingsReader.noteWhatIsLeftOut)
        } catch {
            throw CommandFailure.misconfigured(error)
        }
        let output = StandardOutput()
        let report = SettingsReport(settings)
        switch format.format {
        case .json: try output.write(report.line)
        case .table: try output.write(SettingsTable.text(settings, width: output.terminal?.columns))
        }
        for doubt in SettingsDoubts.all(settings) { Notes.warning(doubt) }
    }
}

/// `clawradar config check`: everything that is wrong in a file.
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a file of settings, and names everything that is wrong in it.",
        usage: "clawradar config check [<file>]",
        discussion: """
            What is well written and leads nowhere is a warning: names that no gateway has that is paired, named or known \
            to the agent, and files of sinks that are not there.

            EXAMPLES:
              clawradar config check
              clawradar config check new.yaml

            Exit status: 0 if nothing is wrong, but for warnings, 64 if something is, 69 if there is no such file.
            """
    )

    @Argument(help: "The file; the user's own if none is named.", completion: .file())
    var file: String?

    func run() throws {
        let own = ConfigurationFile(environment: Environment.values(of: ConfigurationFile.variables))
        guard let file = file.map(ConfigurationFile.init(path:)) ?? own else {
            throw CommandFailure(.unavailable, "there is no home directory, so that no file is read")
        }
        guard file.stamp != nil else { throw CommandFailure(.unavailable, "\(file.path): there is no such file") }
        var trouble: String?
        let settings: Settings
        do throws(ConfigurationError) {
            settings = try Settings(environment: [:], file: file) { trouble = $0 }
        } catch {
            throw CommandFailure.misconfigured(error)
        }
        if let trouble { throw CommandFailure(.unavailable, trouble) }
        let doubts = SettingsDoubts.all(settings)
        for doubt in doubts { Notes.warning("\(file.path): \(doubt)") }
        if doubts.isEmpty { Notes.write("\(DisplayText(file.path, limit: 400)): nothing is wrong\n") }
    }
}
