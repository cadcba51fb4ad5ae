internal import Agent
internal import Console
internal import Discovery

/// A command that an agent can answer, unless its options say something about what is looked for or how.
protocol AskingCommand {
    var common: CommonOptions { get }
    var agent: AgentOption { get }

    /// The options that say what is looked for.
    var scope: [any ScopeOption] { get }
}

/// Options that say what is looked for.
protocol ScopeOption {
    /// Indicates whether nothing was said, so that an agent looks for the same.
    var isUsual: Bool { get }
}

extension AskingCommand {
    var scope: [any ScopeOption] { [] }

    /// Indicates whether an agent looks for the same, and in the same way: nothing says otherwise for this command alone.
    var isUsual: Bool { common.isUsual && scope.allSatisfy(\.isUsual) }
}

extension CommonOptions: ScopeOption {
    var isUsual: Bool { backend == .auto && Environment.values(of: [Settings.gatewaysVariable]).isEmpty }
}

extension TypeOption: ScopeOption {
    var isUsual: Bool { given.isEmpty }
}

extension InterfaceOption: ScopeOption {
    var isUsual: Bool { interfaces.isEmpty }
}

extension DomainOptions: ScopeOption {
    var isUsual: Bool { configuration.isEmpty }
}

extension ServiceLimitOption: ScopeOption {
    var isUsual: Bool { maximum == BrowserConfiguration.mostServices }
}

extension GatewayOption: ScopeOption {
    var isUsual: Bool { typed.isEmpty && !noProbe }
}
