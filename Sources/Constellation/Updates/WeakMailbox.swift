/// A reader's mailbox, as long as there is a reader.
struct WeakMailbox {
    weak var mailbox: Mailbox?
}
