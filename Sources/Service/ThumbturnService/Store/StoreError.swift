/// An error of a store; it reveals nothing about the contents.
package enum StoreError: Error, Equatable, Sendable {
    /// The database can't be reached or does not answer.
    ///
    /// Nothing changed; later calls reconnect by themselves.
    case unavailable
    /// The connection was lost during a commit: the transaction is stored as a whole, or not at all.
    case uncertain
    /// Other transactions blocked this one for too long, or kept conflicting with it.
    ///
    /// Nothing changed.
    case busy
    /// The disk, or the memory available to the database, is full.
    ///
    /// Nothing changed.
    case full
    /// A row violated a constraint of the schema.
    ///
    /// Nothing changed.
    case conflict
    /// The tables or their contents were not written by this program.
    case damaged
    /// A sealed value was changed, or belongs to another account, column, row or epoch.
    case tampered
    /// A value was sealed under a service key that the key file does not have.
    case keyMissing
    /// The tables are of a newer version, with this number.
    case newerFormat(Int64)
    /// Other users could read or replace the file or its folder.
    case unsafeFile
    /// The file does not exist and was not to be created.
    case absent
    /// Neither the file's folder nor the parent to create it in exists.
    case folderMissing
    /// Any other error: PostgreSQL's SQLSTATE, or SQLite's code.
    case other(String)
}
