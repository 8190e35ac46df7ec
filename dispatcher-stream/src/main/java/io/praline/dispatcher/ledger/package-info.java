/**
 * Which elements are unassigned, owed, claimed, consumed or excluded, and all else the dispatcher remembers: rows in one
 * store. The accounts of one epoch are in {@code epoch}; what rows are made of, and where they lie, is in {@code row}. Knows
 * nothing of reading and writing topics, of commands or of why a split goes to whom.
 *
 * <pre>
 *   key                                      value                                  written
 *   'j' job                                  JobRow                                 when its state changes
 *   'k' job                                  what its policy knows, by name         when the policy learns something
 *   'h' job                                  what its shadow policy knows           when that learns something
 *   's' job                                  the submission, its graph until planned when it comes, is planned, ends
 *   'p' job                                  the completed plan as it came          once
 *   'g' job 0 page                           PlanPage                               once
 *   'e' job 0 epoch                          EpochRow                               when counts change
 *   'r' job 0 epoch                          bitmap of splits to assign again       when one is given back or taken
 *   'c' job 0 epoch page                     bitmap of closed splits                when one is closed
 *   'o' job 0 epoch ordinal                  SplitRow of an open split              when its elements move
 *   'a' job 0 epoch attempt                  AttemptRow                             when it changes
 *   'b' job 0 epoch attempt                  Place                                  once
 *   'y' job 0 epoch ordinal                  SuspectRow: open when workers crashed  at a crash, and as it is read alone
 *   'u' job 0 consumer                       ConsumerRow                            when it reports
 *   'x' job                                  tolerated bad records, a line each     when there is one
 *   'w' pool 0 worker                        WorkerRow                              when it joins or changes
 *   'q' pool                                 PoolRow                                when a target or the journal changes
 *   'v'                                      the format of all rows                 once
 *   'd' job                                  PastRow: a job that is forgotten       when it is
 *   'l'                                      ClockRow                               every second
 *   'z' job                                  OrderRow                               when its steps are measured or change places
 *   'f' pool 0 pipeline and data             ProvedRow: an order that is better     when a job has shown it
 *   'i' job                                  CacheRow                               when its points are measured or used
 *   'n' pool 0 tenant/prefix                 GroupRow: entries of one prefix        when stores tell other numbers
 *   't' pool 0 tenant                        TenantRow                              when its cap or its jobs' cost changes
 * </pre>
 *
 * Numbers in keys are big-endian, so that rows of one kind lie in order; names hold no zero byte.
 */
package io.praline.dispatcher.ledger;
