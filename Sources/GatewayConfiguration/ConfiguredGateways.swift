internal import Configuration
package import Scanning

/// The gateways that the environment or the configuration file names.
///
/// A variable that is set replaces the list of the file completely: `CLAWRADAR_GATEWAYS=` with an empty value means
/// none.
package enum ConfiguredGateways {
    /// The variable, as swift-configuration spells the key `clawradar.gateways`. Gateways are separated by commas.
    package static let variable = "CLAWRADAR_GATEWAYS"

    /// The key in the file, whose value is a list of addresses.
    package static let key = "gateways"

    /// The maximum number of addresses: as many endpoints that a user named are kept.
    private static let limit = 16_384

    /// The environment variables that are read, including those that determine the location of the file.
    package static let variables = [variable] + ConfigurationFile.variables

    /// Returns the configured addresses, in their order.
    ///
    /// - Parameters:
    ///   - environment: The ``variables`` that are set.
    ///   - file: The file; `nil` for none.
    ///   - warn: Reports why the file is ignored.
    ///
    /// - Throws: A problem that names the file or the variable, the entry in it, and what was expected.
    package static func addresses(
        environment: [String: String],
        file: ConfigurationFile?,
        warn: (String) -> Void
    ) async throws(ConfigurationProblem) -> [ProbeAddress] {
        let variables = EnvironmentVariablesProvider(environmentVariables: environment)
        if let typed = try? variables.value(forKey: ["clawradar", "gateways"], type: .stringArray).value,
            case .stringArray(let texts) = typed.content
        {
            return try addresses(texts.filter { !$0.isEmpty }) { ConfigurationProblem("\(variable): \($0)") }
        }
        guard let file, let bytes = try file.read(orWarn: warn), hasContent(bytes) else { return [] }
        let values: YAMLSnapshot
        do {
            values = try YAMLSnapshot(data: bytes.span.bytes, providerName: file.path, parsingOptions: .default)
        } catch {
            throw file.failure("expected YAML such as “\(key): [192.168.1.50:3000]”; \(words(error))")
        }
        let found: ConfigValue?
        do {
            found = try values.value(forKey: [key], type: .stringArray).value
        } catch {
            throw file.failure("\(key): expected a list of addresses, found something else")
        }
        guard case .stringArray(let texts) = found?.content else {
            throw file.failure("expected the key “\(key)” with a list of addresses, found others; there are no others")
        }
        return try addresses(texts) { file.failure("\(key), \($0)") }
    }

    private static func addresses(
        _ texts: [String],
        failure: (String) -> ConfigurationProblem
    ) throws(ConfigurationProblem) -> [ProbeAddress] {
        guard texts.count <= limit else {
            throw failure("expected at most \(limit) addresses, found \(texts.count)")
        }
        var addresses: [ProbeAddress] = []
        for (index, text) in texts.enumerated() {
            do throws(ProbeAddressProblem) {
                addresses.append(try ProbeAddress(text))
            } catch {
                // A password that contains a comma is split over several entries: an `@` further on ends it.
                let isSecret = texts[(index + 1)...].contains { $0.contains("@") }
                let found = isSecret ? "…" : ProbeAddress.redacted(address: text)
                throw failure("entry \(index + 1): found “\(found)”. \(error)")
            }
        }
        return addresses
    }

    /// Indicates whether the file has more than comments and the key without a value: a file without more is valid, and
    /// configures nothing.
    private static func hasContent(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let text = line.prefix { $0 != UInt8(ascii: "#") }.filter { $0 > 0x20 }
            return String(decoding: text, as: UTF8.self)
        }
        return lines.contains { !["", "---", "\(key):"].contains($0) }
    }

    /// Returns an error of the YAML parser as one line that begins with the position. The quoted line of the file is
    /// left out, because it can contain a secret.
    private static func words(_ error: any Error) -> String {
        let lines = "\(error)".split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        // The parser quotes the line of the file after the problem, which ends in a colon.
        let end = lines.firstIndex { $0.hasSuffix(":") }.map { $0 + 1 } ?? lines.endIndex
        let words = lines.prefix(min(end, 2)).filter { $0 != "Context:" }.joined(separator: " ")
        return ProbeAddress.redacted(words.hasSuffix(":") ? String(words.dropLast()) : words)
    }
}
