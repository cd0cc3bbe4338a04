module Memory = struct
  type t = { rows : int list }
  let empty = { rows = [] }
  let find s key = lookup s key (*: calls - *)
end
let open_all key = key
let save s row = Memory.find s (open_all row) (*: calls Memory.find, open_all *)
