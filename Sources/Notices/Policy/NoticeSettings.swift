/// What a user has set up for being told of gateways. A value.
package struct NoticeSettings: Hashable, Sendable {
    package var policy = NoticePolicy()

    /// The sinks, each with a name of its own. Without any, nothing is told.
    package var sinks: [NoticeSink] = []

    package init() {}
}
