/// What a ``BrowseStateMachine`` may ask about the interfaces of this host.
struct InterfaceTable {
    /// The name of the interface with this index; `nil` when there is none.
    let name: (Int32) -> String?

    /// Whether the interface exists and is up.
    let isUp: (Int32) -> Bool
}
