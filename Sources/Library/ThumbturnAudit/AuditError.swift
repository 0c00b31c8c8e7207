/// Why bytes are no record, or none of a log's forms, or values make none.
package enum AuditError: Error, Hashable, Sendable {
    /// It is not the one form of anything: not strict JSON, not canonical, a member too many or too few, a value out of
    /// its range, or longer than 4 KiB.
    case malformed
    /// It has the form of a record, but its hash is not that of its content.
    case changed
    /// It has the form of a note, but no right signature of the key.
    case unsigned
}
