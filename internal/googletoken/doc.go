// Package googletoken checks the identity tokens that Google signs for its
// service accounts, as Pub/Sub push and Eventarc send them: a JSON web token of
// RS256 whose keys Google publishes
// (https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions).
//
// A token counts only for one audience and one service account. It knows nothing
// of HTTP servers or events.
package googletoken
