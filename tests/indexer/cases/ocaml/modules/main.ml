open Checks (*: imports checks.ml *)
module S = Store.Memory

let helper x = x + 1
let rec count n = if n = 0 then 1 else n * count (n - 1) (*: calls count *)
and other y = helper y (*: calls helper *)

let place (s : S.t) ~key ?(n = 1) () =
  let found = S.find s key in (*: calls store.ml::Memory.find *)
  let twice v = helper (helper v) in (*: calls helper *)
  match found with
  | Some row -> row |> valid |> ignore; (*: calls checks.ml::valid *)
    Store.save s (twice row) (*: calls store.ml::save, place.twice *)
  | None -> List.iter helper [n]; (*: calls helper *)
    Store.(save s (open_all key)) (*: calls store.ml::save, store.ml::open_all *)

class counter start = object (self)
  val mutable at = start
  method next = self#add 1 (*: calls counter.add *)
  method add n = at + n
end

let run = function
  | 0 -> place S.empty ~key:1 () (*: calls place *)
  | n -> let c = new counter n in c#next (*: calls counter, counter.next *)

let () = run @@ count 3 (*: calls run, count *)
