.class public LSwitches;
.super Ljava/lang/Object;

.field public static n:I

.method public static boom(I)I
  .registers 2
  if-nez p0, :ok
  new-instance v0, Ljava/lang/IllegalStateException;
  invoke-direct {v0}, Ljava/lang/IllegalStateException;-><init>()V
  throw v0
  :ok
  return p0
.end method

.method public static sw(I)I
 .registers 2
 sparse-switch p0, :s
 :next
 const/4 v0, 7
 const/16 v0, 9
 return v0
 :a
 const/4 v0, 1
 return v0
 :b
 const/4 v0, 2
 return v0
 :c
 const/4 v0, 3
 return v0
 :s
 .sparse-switch
 -0x80000000 -> :a
 -0x5 -> :c
 0x0 -> :next
 0x7fffffff -> :b
 .end sparse-switch
.end method

.method public static pw(I)I
 .registers 2
 packed-switch p0, :s
 const/4 v0, 6
 return v0
 :a
 const/4 v0, 4
 return v0
 :b
 const/4 v0, 5
 return v0
 :s
 .packed-switch 0x7ffffffe
 :a
 :b
 .end packed-switch
.end method

.method public static tEmptySwitch()I
  .registers 8
  sget v0, LSwitches;->n:I
  const/4 v2, 5
  invoke-static {v2}, LSwitches;->boom(I)I
  move-result v2
  packed-switch v0, :p
  add-int/lit8 v0, v0, 3
  add-int/2addr v0, v2
  sparse-switch v0, :s
  return v0
  nop
  :p
  .packed-switch 0x0
  .end packed-switch
  :s
  .sparse-switch
  .end sparse-switch
.end method

.method public static tEmptySwitchLoop()I
  .registers 8
  const/4 v0, 0
  :l
  add-int/lit8 v0, v0, 1
  packed-switch v0, :p
  if-ltz v0, :l
  return v0
  :p
  .packed-switch 0x0
  .end packed-switch
.end method

.method public static tSwitch()I
  .registers 8
  const v0, -0x80000000
  invoke-static {v0}, LSwitches;->sw(I)I
  move-result v1
  const v0, 0x7fffffff
  invoke-static {v0}, LSwitches;->sw(I)I
  move-result v2
  mul-int/lit8 v1, v1, 10
  add-int/2addr v1, v2
  const v0, -5
  invoke-static {v0}, LSwitches;->sw(I)I
  move-result v2
  mul-int/lit8 v1, v1, 10
  add-int/2addr v1, v2
  const v0, 77
  invoke-static {v0}, LSwitches;->sw(I)I
  move-result v2
  mul-int/lit8 v1, v1, 10
  add-int/2addr v1, v2
  const v0, 0x7fffffff
  invoke-static {v0}, LSwitches;->pw(I)I
  move-result v2
  mul-int/lit8 v1, v1, 10
  add-int/2addr v1, v2
  const v0, -0x80000000
  invoke-static {v0}, LSwitches;->pw(I)I
  move-result v2
  mul-int/lit8 v1, v1, 10
  add-int/2addr v1, v2
  return v1
.end method
